// What `npm pack` makes, installed into an empty folder and used as a stranger would.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../scripts/lib/serve.mjs';

const root = join(import.meta.dirname, '../..');
const totalOfLlama = '8030261248';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'roofbeam-package-'));
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, args: readonly string[], cwd = folder): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function runScript(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return run(process.execPath, [name]).trim();
}

const analyze = `
  const engine = await createEngine();
  const analysis = engine.analyze({ preset: 'llama-3-8b' });`;

test('installs nothing but itself', () => {
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
    ['roofbeam'],
  );
});

test('holds what is used and nothing else', () => {
  const top = readdirSync(join(folder, 'node_modules/roofbeam')).sort();
  expect(top).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'presets']);
});

describe('in Node.js', () => {
  test.each(['roofbeam', 'roofbeam/node'])('JavaScript imports %s', (name) => {
    const text = `import { createEngine } from '${name}';${analyze}
      console.log(analysis.params.total);`;
    expect(runScript('use.js', text)).toBe(totalOfLlama);
  });

  test('a worker thread imports it', () => {
    writeFileSync(
      join(folder, 'thread.js'),
      `import { parentPort } from 'node:worker_threads';
       import { createEngine } from 'roofbeam';${analyze}
       parentPort.postMessage(analysis.params.total);`,
    );
    const text = `import { Worker } from 'node:worker_threads';
      new Worker(new URL('./thread.js', import.meta.url)).on('message', (total) => console.log(total));`;
    expect(runScript('main.js', text)).toBe(totalOfLlama);
  });

  test('finds the module, presets and schemas', () => {
    const text = `
      import preset from 'roofbeam/presets/designs/llama-3-8b.tensorcad.json' with { type: 'json' };
      import schema from 'roofbeam/schema/request.schema.json' with { type: 'json' };
      import { readFileSync } from 'node:fs';
      const bytes = readFileSync(new URL(import.meta.resolve('roofbeam/wasm')));
      console.log(typeof preset.meta.name, typeof schema, WebAssembly.validate(bytes));`;
    expect(runScript('files.js', text)).toBe('string object true');
  });

  test('npx runs the command line', () => {
    const answer = JSON.parse(
      run('npx', ['--no-install', 'roofbeam', 'analyze', 'llama-3-8b', '--json']),
    );
    expect(String(answer.params.total)).toBe(totalOfLlama);
  });
});

describe('in TypeScript', () => {
  const text = `import { createEngine, InvalidRequest, type Engine } from 'roofbeam';
    const engine: Engine = await createEngine();
    const total: number | null = engine.analyze({ preset: 'llama-3-8b', options: { T: 2048 } }).params.total;
    const { result } = engine.run({ schema_version: 1, command: 'list' });
    const names: readonly string[] = result.presets.map((preset) => preset.name);
    console.log(String(total), names.includes('llama-3-8b'), InvalidRequest.name);
    // @ts-expect-error: no such option
    try { engine.analyze({ preset: 'llama-3-8b', options: { TT: 2048 } }); } catch {}
    // @ts-expect-error: no such command
    try { engine.run({ schema_version: 1, command: 'guess' }); } catch {}
  `;

  test.each(['node16', 'bundler'])('the types hold, with module resolution %s', (resolution) => {
    writeFileSync(join(folder, 'use.ts'), text);
    const options =
      resolution === 'node16'
        ? ['--module', 'node16']
        : ['--module', 'esnext', '--moduleResolution', resolution];
    run(join(root, 'node_modules/.bin/tsc'), [
      ...options,
      '--target',
      'es2022',
      '--strict',
      '--lib',
      'es2022,dom',
      'use.ts',
    ]);
    expect(run(process.execPath, ['use.js']).trim()).toBe(`${totalOfLlama} true InvalidRequest`);
  });
});

test('a bundler for browsers takes it', async () => {
  writeFileSync(
    join(folder, 'page.js'),
    `import { createEngine } from 'roofbeam';
     export const start = (bytes) => createEngine(bytes);`,
  );
  await build({
    absWorkingDir: folder,
    entryPoints: ['page.js'],
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  const text = `import { readFileSync } from 'node:fs';
    import { start } from './bundle.mjs';
    const engine = await start(readFileSync('node_modules/roofbeam/dist/roofbeam.wasm'));
    console.log(engine.analyze({ preset: 'llama-3-8b' }).params.total);`;
  expect(runScript('bundled.js', text)).toBe(totalOfLlama);
});

describe('in Chromium', () => {
  test('a page and a module worker load it from a plain file server', async () => {
    const site = join(folder, 'site');
    cpSync(join(folder, 'node_modules/roofbeam/dist'), join(site, 'roofbeam'), { recursive: true });
    writeFileSync(join(site, 'index.html'), '<!doctype html><title>empty</title>');
    writeFileSync(
      join(site, 'worker.js'),
      `import { createEngine } from './roofbeam/index.js';${analyze}
       postMessage(analysis.params.total);`,
    );
    const server = await serve(site);
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      // As text: the test runner rewrites the imports of functions.
      const totals = await page.evaluate<number[]>(`(async () => {
        const { createEngine } = await import(new URL('./roofbeam/index.js', location.href).href);
        const engine = await createEngine();
        const inPage = engine.analyze({ preset: 'llama-3-8b' }).params.total;
        const worker = new Worker('./worker.js', { type: 'module' });
        const inWorker = await new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
        return [inPage, inWorker];
      })()`);
      expect(totals.map(String)).toEqual([totalOfLlama, totalOfLlama]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
