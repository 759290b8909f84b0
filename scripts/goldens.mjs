// `npm run goldens`: computes every figure of tests/goldens/analysis.json anew and shows what differs from what is
// expected there; a preset without expected figures is listed as new. Fails if anything differs. With --accept it
// writes the computed figures in place of the expected ones, for a change that was meant and argued.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, buildPreset } from './lib/build.mjs';
import { installEmscripten } from './lib/emscripten.mjs';
import { installNpmPackages, installPackages, toBuild } from './lib/packages.mjs';
import { Failure, main, root, step } from './lib/process.mjs';

const file = join(root, 'tests/goldens/analysis.json');
const tables = ['params_by_path', 'flops_by_path', 'activations_by_path'];

await main(async () => {
  await step('System packages', () => installPackages(toBuild));
  await step('npm packages', installNpmPackages);
  await step('Emscripten', installEmscripten);
  await step('WebAssembly build', () =>
    buildPreset('wasm', ['roofbeam_wasm', 'roofbeam_cli_wasm']),
  );
  await step('npm package', buildPackage);

  const { createEngine } = await import('../dist/node.js');
  const engine = await createEngine();
  const goldens = JSON.parse(readFileSync(file, 'utf8'));
  const differences = [];
  for (const [preset, golden] of Object.entries(goldens.presets)) {
    for (const [point, options] of Object.entries(goldens.options)) {
      const computed = engine.analyze({ preset, options });
      goldens.presets[preset].cases[point] = anew(golden.cases[point], computed, [preset, point]);
      if (point !== 'default') continue;
      for (const table of tables) {
        if (golden[table] === null) continue;
        goldens.presets[preset][table] = anew(golden[table], computed[table], [preset, table]);
      }
    }
  }
  const unknown = readdirSync(join(root, 'presets/designs'))
    .map((name) => name.replace('.tensorcad.json', ''))
    .filter((name) => !(name in goldens.presets));
  if (unknown.length > 0) console.log(`Without expected figures: ${unknown.join(', ')}`);

  if (differences.length === 0) {
    console.log(`${Object.keys(goldens.presets).length} presets: every figure as expected`);
    return;
  }
  console.table(differences);
  if (!process.argv.includes('--accept')) {
    throw new Failure(`${differences.length} figures differ from tests/goldens/analysis.json`);
  }
  writeFileSync(file, `${JSON.stringify(goldens)}\n`);

  // The expected figures with what was computed in their place, each difference noted. Figures that are expected to
  // be whole are counts and must be exact.
  function anew(expected, computed, where) {
    if (typeof expected === 'object' && expected !== null) {
      return Object.fromEntries(
        Object.entries(expected).map(([key, value]) => [
          key,
          anew(value, computed?.[key], [...where, key]),
        ]),
      );
    }
    if (same(expected, computed)) return expected;
    differences.push({
      figure: where.join(' / '),
      expected,
      computed,
      relative: typeof computed === 'number' ? computed / expected - 1 : undefined,
    });
    return computed ?? null;
  }
});

function same(expected, computed) {
  if (typeof expected !== 'number' || typeof computed !== 'number') return expected === computed;
  if (Number.isInteger(expected)) return expected === computed;
  return Math.abs(computed - expected) <= 1e-9 * Math.abs(expected);
}
