// The module that wasm/bindings.cpp becomes.
import type { ModuleFactory } from './module.js';

interface Exports {
  run(request: string): string;
  version(): string;
}

declare const createModule: ModuleFactory<Exports>;
export default createModule;
