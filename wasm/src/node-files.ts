import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Files } from './cli.js';

const standardInput = 0;

/** The files of this machine; the path `-` is standard input. */
export const nodeFiles: Files = {
  read: (path) =>
    orErrorName(() => new Uint8Array(readFileSync(path === '-' ? standardInput : path))),
  // A copy: the bytes lie in the engine's memory, which a file operation must not hold on to.
  write: (path, contents) =>
    orErrorName(() => {
      writeFileSync(path, contents.slice());
      return undefined;
    }),
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
};

function orErrorName<Value>(action: () => Value): Value | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string')
      return error.code;
    throw error;
  }
}
