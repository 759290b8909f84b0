// The package in a page, a worker or a bundler. Node.js gets node.ts.
import { type Engine, startEngine } from './engine.js';
import type { WasmSource } from './module.js';

export type * from './commands.js';
export type * from './contract.js';
export type { Engine } from './engine.js';
export { EngineCrash, InvalidRequest } from './errors.js';
export type { WasmSource } from './module.js';

/** Loads and starts an engine; without a source, from the file beside this one. */
export async function createEngine(
  source: WasmSource = new URL('./roofbeam.wasm', import.meta.url),
): Promise<Engine> {
  return startEngine(await compile(source));
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${String(source)}: ${response.status} ${response.statusText}`);
  // Streaming demands the right media type, which a plain file server may not send.
  return response.headers.get('Content-Type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
