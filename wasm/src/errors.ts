import type { Diagnostic } from './contract.js';

/** The request can't be answered as it is; everything that is wrong with it is in `diagnostics`. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(
      diagnostics.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'),
    );
  }
}

/** The engine died over a request: a bug of the engine. That instance is gone, another can be created. */
export class EngineCrash extends Error {
  override readonly name = 'EngineCrash';
}
