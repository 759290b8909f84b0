/** One thing wrong with a request. */
export interface Diagnostic {
  /** Stable, for programs: `json.duplicate_key`. */
  readonly code: string;
  /** JSON Pointer to the value at fault; empty for the whole request. */
  readonly path: string;
  /** For people: what was found and what was wanted. */
  readonly message: string;
  /** How to mend it; may be empty. */
  readonly hint: string;
}

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
