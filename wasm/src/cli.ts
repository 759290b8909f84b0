import { instantiate } from './module.js';
import createModule from './roofbeam-cli.mjs';

/** The files that a command line sees. Failures are told by the name of the system's error: `ENOENT`. */
export interface Files {
  read(path: string): Uint8Array | string;
  write(path: string, contents: Uint8Array): string | undefined;
  isDirectory(path: string): boolean;
}

/** What a command line leaves behind. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 answered, 1 the answer is no or the input is unreadable, 2 wrong usage. */
  readonly exitCode: number;
}

/** Runs the command line: `['analyze', 'llama-3-8b', '--json']`. */
export type CommandLine = (args: readonly string[], files: Files) => Outcome;

export async function startCommandLine(module: WebAssembly.Module): Promise<CommandLine> {
  const { exports, guard } = await instantiate(createModule, module);
  return (args, files) => guard(() => exports.cli(args, files));
}
