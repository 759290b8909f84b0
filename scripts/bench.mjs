// `npm run bench`: time per request natively, in Node.js and in Chromium, instructions counted by callgrind, and
// sizes. Instructions and sizes are repeatable and have budgets; times are for reading.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, buildPreset, gzippedBytes } from './lib/build.mjs';
import { installEmscripten } from './lib/emscripten.mjs';
import {
  installNpmPackages,
  installPackages,
  toBenchmark,
  toBuild,
  toTest,
} from './lib/packages.mjs';
import { Failure, main, root, run, step, which } from './lib/process.mjs';

const folder = join(root, 'build/bench');
const casesFile = join(folder, 'cases.txt');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const cases = Object.entries(readJson('tests/bench/cases.json')).map(([name, request]) => ({
  name,
  request: JSON.stringify(request),
}));
const budgets = readJson('tests/bench/budgets.json');

await main(async () => {
  await step('System packages', () => installPackages([...toBuild, ...toTest, ...toBenchmark]));
  await step('npm packages', installNpmPackages);
  await step('Emscripten', installEmscripten);
  await step('Native build', () => buildPreset('bench', ['roofbeam_bench', 'roofbeam_repeat']));
  await step('WebAssembly build', () =>
    buildPreset('wasm', ['roofbeam_wasm', 'roofbeam_cli_wasm']),
  );
  await step('npm package', buildPackage);

  mkdirSync(folder, { recursive: true });
  writeFileSync(casesFile, cases.map(({ name, request }) => `${name}\n${request}\n`).join(''));

  const measured = {};
  const measure = (name, work) =>
    step(name, async () => {
      measured[name] = await work();
    });
  await measure('native', timeNative);
  await measure('node', timeInNode);
  await measure('chromium', timeInChromium);
  await measure('instructions', countInstructions);

  const milliseconds = (ms) => ms.toFixed(3);
  console.table(
    Object.fromEntries(
      cases.map(({ name }) => [
        name,
        {
          'native (ms)': milliseconds(measured.native[name]),
          'Node.js (ms)': milliseconds(measured.node[name]),
          'Node.js / native': (measured.node[name] / measured.native[name]).toFixed(2),
          'Chromium (ms)': milliseconds(measured.chromium[name]),
          instructions: measured.instructions[name],
          budget: budgets.instructions[name],
        },
      ]),
    ),
  );
  const sizes = Object.fromEntries(
    ['roofbeam', 'roofbeam-cli'].map((name) => [name, gzippedBytes(name)]),
  );
  console.table(
    Object.fromEntries(
      Object.entries(sizes).map(([name, bytes]) => [
        `${name}: module and glue`,
        { 'gzipped bytes': bytes, budget: budgets.gzipped_bytes[name] },
      ]),
    ),
  );

  const over = [
    ...exceeding(measured.instructions, budgets.instructions),
    ...exceeding(sizes, budgets.gzipped_bytes),
  ];
  if (over.length > 0) throw new Failure(`Over budget: ${over.join(', ')}`);
});

// A case without a budget counts as over it.
function exceeding(measured, allowed) {
  return Object.keys(measured).filter((name) => !(measured[name] <= allowed[name]));
}

async function timeNative() {
  const report = join(folder, 'native.json');
  await run(join(folder, 'tests/bench/roofbeam_bench'), [
    casesFile,
    '--benchmark_repetitions=15',
    '--benchmark_min_time=0.05',
    '--benchmark_out_format=json',
    `--benchmark_out=${report}`,
  ]);
  const nanoseconds = JSON.parse(readFileSync(report, 'utf8')).benchmarks;
  return Object.fromEntries(
    nanoseconds
      .filter((row) => row.aggregate_name === 'median')
      .map((row) => [row.run_name, row.real_time / 1e6]),
  );
}

async function timeInNode() {
  const { createEngine } = await import('../dist/node.js');
  return timeRequests(await createEngine(), cases);
}

async function timeInChromium() {
  const { chromium } = await import('playwright-core');
  const { serve } = await import('./lib/serve.mjs');
  const server = await serve(join(root, 'dist'));
  const browser = await chromium.launch({
    executablePath: which('chromium'),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}index.js`);
    return await page.evaluate(
      `import('./index.js').then(async ({ createEngine }) =>
        (${timeRequests})(await createEngine(), ${JSON.stringify(cases)}))`,
    );
  } finally {
    await browser.close();
    server.close();
  }
}

// Milliseconds per request: the median of 15 batches after a warm-up. A batch takes long enough for a browser's
// coarse clock. The function is also sent to Chromium as text and so uses nothing from around it.
function timeRequests(engine, requests) {
  const batch = (request, times) => {
    const start = performance.now();
    for (let i = 0; i < times; i += 1) engine.ask(request);
    return (performance.now() - start) / times;
  };
  return Object.fromEntries(
    requests.map(({ name, request }) => {
      const warm = batch(request, 300);
      const times = Math.ceil(50 / warm);
      const batches = Array.from({ length: 15 }, () => batch(request, times)).sort((a, b) => a - b);
      return [name, batches[7]];
    }),
  );
}

async function countInstructions() {
  const count = async (name, times) => {
    const output = await run('valgrind', [
      '--tool=callgrind',
      '--callgrind-out-file=/dev/null',
      join(folder, 'tests/bench/roofbeam_repeat'),
      casesFile,
      name,
      String(times),
    ]);
    return Number(/Collected : (\d+)/.exec(output)[1]);
  };
  const counted = {};
  for (const { name } of cases) {
    counted[name] = Math.round(((await count(name, 12)) - (await count(name, 2))) / 10);
  }
  return counted;
}
