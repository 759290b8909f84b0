import type { Answer, CommandName, Parameters, RequestOf, Results } from './commands.js';
import type { Response } from './contract.js';
import { InvalidRequest } from './errors.js';
import { instantiate } from './module.js';
import createModule from './roofbeam.mjs';

/**
 * One instance of the engine. Calls are synchronous and take well under a millisecond for most designs.
 * Throws InvalidRequest if the request is wrong, EngineCrash if the engine is.
 */
export interface Engine {
  readonly version: string;
  /** JSON text in, JSON text out, as every door of the engine has it; a wrong request is an answer here. */
  ask(request: string): string;
  /** Any request, to its whole answer: the result and the notes. */
  run<Command extends CommandName>(request: RequestOf<Command>): Answer<Command>;
  /** Parameters, FLOPs, cache, memory, throughput and cost of a preset, a design or a config.json. */
  analyze(parameters: Parameters<'analyze'>): Results['analyze'];
  /** The text of a Hugging Face config.json as a design document. */
  importConfig(config: string, name?: string): Results['import'];
  /** Presets, devices and the model types that can be imported. */
  list(): Results['list'];
}

export async function startEngine(module: WebAssembly.Module): Promise<Engine> {
  const { exports, guard } = await instantiate(createModule, module);

  const ask = (request: string): string => {
    if (typeof request !== 'string') throw new TypeError('a request is JSON text');
    return guard(() => exports.run(request));
  };

  function run<Command extends CommandName>(request: RequestOf<Command>): Answer<Command> {
    const response = JSON.parse(ask(JSON.stringify(request))) as Response;
    if (!response.ok) throw new InvalidRequest(response.diagnostics);
    // The schema of a response does not name its command.
    return { result: response.result as Results[Command], notes: response.notes };
  }

  return {
    version: guard(() => exports.version()),
    ask,
    run,
    analyze: (parameters) =>
      run<'analyze'>({ schema_version: 1, command: 'analyze', ...parameters }).result,
    importConfig: (config, name) =>
      run<'import'>({ schema_version: 1, command: 'import', config, name: name ?? null }).result,
    list: () => run<'list'>({ schema_version: 1, command: 'list' }).result,
  };
}
