// The package in Node.js: the same as index.ts, with the WebAssembly code read from disk, and the command line.
import { readFile } from 'node:fs/promises';
import { type CommandLine, startCommandLine } from './cli.js';
import { type Engine, startEngine } from './engine.js';
import type { WasmSource } from './module.js';

export type { CommandLine, Files, Outcome } from './cli.js';
export type * from './commands.js';
export type * from './contract.js';
export type { Engine } from './engine.js';
export { EngineCrash, InvalidRequest } from './errors.js';
export { nodeFiles } from './node-files.js';
export type { WasmSource } from './module.js';

/** Loads and starts an engine; without a source, from the file beside this one. */
export async function createEngine(
  source: WasmSource = new URL('./roofbeam.wasm', import.meta.url),
): Promise<Engine> {
  return startEngine(await compile(source));
}

/** Loads and starts the command line. */
export async function createCommandLine(
  source: WasmSource = new URL('./roofbeam-cli.wasm', import.meta.url),
): Promise<CommandLine> {
  return startCommandLine(await compile(source));
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  return WebAssembly.compile(
    typeof source === 'string' || source instanceof URL
      ? new Uint8Array(await readFile(source))
      : source,
  );
}
