// The compiled modules and the JavaScript that Emscripten writes beside them.

import { EngineCrash } from './errors.js';

/** Where the WebAssembly code is: a URL, its bytes, or a module that is compiled already. */
export type WasmSource = string | URL | BufferSource | WebAssembly.Module;

interface ModuleSettings {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): object;
  print(line: string): void;
  printErr(line: string): void;
}

export type ModuleFactory<Exports> = (settings: ModuleSettings) => Promise<Exports>;

/** Makes an instance's functions safe to call: after the first one that dies, none runs any more. */
export type Guard = <Result>(call: () => Result) => Result;

/** Starts an instance. What it prints before it dies becomes part of the EngineCrash. */
export async function instantiate<Exports>(
  factory: ModuleFactory<Exports>,
  module: WebAssembly.Module,
): Promise<{ exports: Exports; guard: Guard }> {
  const printed: string[] = [];
  let crash: EngineCrash | undefined;

  const exports = await new Promise<Exports>((resolve, reject) => {
    factory({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports).then(receive).catch(reject);
        return {}; // the exports come later, through receive
      },
      print: (line) => void printed.push(line),
      printErr: (line) => void printed.push(line),
    }).then(resolve, reject);
  });

  const guard: Guard = (call) => {
    if (crash) throw crash;
    try {
      return call();
    } catch (cause) {
      const said = [...printed, cause instanceof Error ? cause.message : String(cause)].join('\n');
      crash = new EngineCrash(`the engine stopped unexpectedly: ${said}`, { cause });
      throw crash;
    }
  };
  return { exports, guard };
}
