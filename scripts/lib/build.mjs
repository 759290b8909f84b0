// Building the engine, the npm package and the site.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, run } from './process.mjs';

export const nativeBinary = join(root, 'build/release/roofbeam');

const isNewer = (file, than) => existsSync(file) && statSync(file).mtimeMs > statSync(than).mtimeMs;

// Builds targets of a CMake preset, everything if none is named. Ninja configures again by itself when a
// CMake file has changed; it does not know the presets and the choice of compiler.
export async function buildPreset(preset, targets = []) {
  const ninja = join(root, 'build', preset, 'build.ninja');
  const stale =
    !existsSync(ninja) ||
    isNewer(join(root, 'CMakePresets.json'), ninja) ||
    (preset === 'wasm' && isNewer(join(root, 'build/emscripten-root'), ninja));
  if (stale) await run('cmake', ['--preset', preset]);
  const target = targets.length > 0 ? ['--target', ...targets] : [];
  const output = await run('cmake', ['--build', '--preset', preset, ...target], {
    watch: progress(),
  });
  return output.includes('no work to do') ? 'up to date' : 'built';
}

// Tells every quarter of a minute how far Ninja is: "[57/203] Building ...".
function progress() {
  let next = performance.now() + 15_000;
  return (chunk) => {
    const [, done, all] = /^\[(\d+)\/(\d+)\]/m.exec(chunk) ?? [];
    if (done === undefined || performance.now() < next) return;
    console.log(`  ${done} of ${all}`);
    next = performance.now() + 15_000;
  };
}

// dist/: the TypeScript API compiled, beside the WebAssembly modules.
export const buildPackage = () =>
  unlessUnchanged(
    'package',
    ['wasm', 'scripts/build-package.mjs', 'build/wasm/wasm'],
    'dist/bin.js',
    () => run('node', ['scripts/build-package.mjs']),
  );

// What a page downloads for a module of dist/: the WebAssembly code and the JavaScript beside it.
export const gzippedBytes = (name) =>
  ['wasm', 'mjs']
    .map((ending) => gzipSync(readFileSync(join(root, 'dist', `${name}.${ending}`)), { level: 9 }))
    .reduce((total, compressed) => total + compressed.length, 0);

// web/dist/: the static site.
export const buildSite = () =>
  unlessUnchanged('site', ['web', 'dist'], 'web/dist/index.html', () =>
    run('npm', ['run', 'build', '--workspace', 'web']),
  );

// Does the work if any of the inputs has another content than when it was last done. Returns a remark.
async function unlessUnchanged(name, inputs, output, work) {
  const stamp = join(root, 'build/stamps', name);
  const inputsNow = digest(['package-lock.json', ...inputs]);
  if (
    existsSync(join(root, output)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === inputsNow
  ) {
    return 'up to date';
  }
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputsNow);
  return 'built';
}

const notInputs = new Set(['node_modules', 'dist', 'CMakeFiles', 'tests']);

function digest(inputs) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) if (!notInputs.has(name)) add(join(path, name));
    } else {
      hash.update(path).update(readFileSync(path));
    }
  };
  for (const input of inputs) add(join(root, input));
  return hash.digest('hex');
}
