// Fills dist/, what the npm package holds: node scripts/build-package.mjs, after the wasm preset is built.
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, run } from './lib/process.mjs';

const dist = join(root, 'dist');
const wasm = join(root, 'build/wasm/wasm');

await main(async () => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await run('npx', ['--no-install', 'tsc', '-p', 'wasm/tsconfig.json']);
  for (const name of ['roofbeam', 'roofbeam-cli']) {
    for (const ending of ['mjs', 'wasm']) {
      copyFileSync(join(wasm, `${name}.${ending}`), join(dist, `${name}.${ending}`));
    }
  }
  chmodSync(join(dist, 'bin.js'), 0o755);
});
