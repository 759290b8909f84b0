#!/usr/bin/env node
// `npx roofbeam`: the command line of the native binary, in WebAssembly.
import { createCommandLine, EngineCrash, nodeFiles } from './node.js';

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  const run = await createCommandLine();
  const { stdout, stderr, exitCode } = run(process.argv.slice(2), nodeFiles);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
} catch (error) {
  if (!(error instanceof EngineCrash)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 3;
}
