// Running commands and telling the user what is going on.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

// What went wrong, in words for the user: printed without a stack trace.
export class Failure extends Error {}

// The path of a program, or undefined.
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

// Runs a program to its end: {code, output}, where output is stdout and stderr as they came. With `show`
// the output also goes to the terminal while it comes; `watch` is called with each chunk of it. Nothing is read
// from the terminal.
export function attempt(program, args = [], { cwd = root, env = {}, show = false, watch } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        chunks.push(chunk);
        if (show) process.stdout.write(chunk);
        watch?.(chunk.toString());
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code: code ?? `signal ${signal}`, output: Buffer.concat(chunks).toString() }),
    );
  });
}

// Runs a program that must succeed; its output is shown only if it does not.
export async function run(program, args = [], options = {}) {
  const { code, output } = await attempt(program, args, options);
  if (code !== 0) {
    if (!options.show) process.stdout.write(output);
    throw new Failure(`${[program, ...args].join(' ')} ended with ${code}`);
  }
  return output;
}

// One step: its name, then how long it took and what its function returned as a remark.
export async function step(name, work) {
  const start = performance.now();
  process.stdout.write(`${name} ...\n`);
  const remark = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${name}: ${remark ?? 'done'} (${seconds} s)\n`);
}

// Runs a script's body; a Failure becomes one line and exit code 1.
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stdout.write(`\n${error.message}\n`);
    process.exit(1);
  }
}
