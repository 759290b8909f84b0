// The module that wasm/cli_bindings.cpp becomes.
import type { Files, Outcome } from './cli.js';
import type { ModuleFactory } from './module.js';

interface Exports {
  cli(args: readonly string[], files: Files): Outcome;
}

declare const createModule: ModuleFactory<Exports>;
export default createModule;
