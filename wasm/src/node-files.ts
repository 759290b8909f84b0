import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Files } from './cli.js';

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The files of this machine, as engine/cli/main.cpp has them. */
export const nodeFiles: Files = {
  read: (path) => orErrorName(() => new Uint8Array(readFileSync(path))),

  // Beside the file first, then in its place: a reader never sees half a file.
  write: (path, contents) =>
    orErrorName(() => {
      if (isDirectory(path)) return 'EISDIR';
      mkdirSync(dirname(path), { recursive: true });
      const draft = `${path}.part`;
      try {
        // A copy: the bytes lie in the engine's memory, which a file operation must not hold on to.
        writeFileSync(draft, contents.slice());
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      return undefined;
    }),

  isDirectory,
};

function orErrorName<Value>(action: () => Value): Value | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      return error.code;
    }
    throw error;
  }
}
