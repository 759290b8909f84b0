// What the documentation shows is what the program prints. A block marked `console` holds commands after `$ `, each
// with lines of its output in order; `...` stands for lines left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

interface Example {
  readonly command: string;
  readonly shown: readonly string[];
}

function examplesOf(page: string): Example[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```console\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [command, ...shown] = example.replace(/\n$/, '').split('\n');
        return { command: command!, shown };
      }),
  );
}

// The lines without the first that the output lacks: nothing is left where all are there, in order.
function unmatched(shown: readonly string[], output: readonly string[]): readonly string[] {
  let at = 0;
  let skipping = false;
  for (const [index, line] of shown.entries()) {
    if (line === '...') {
      skipping = true;
      continue;
    }
    const found = skipping ? output.indexOf(line, at) : output[at] === line ? at : -1;
    if (found < 0) return shown.slice(index);
    at = found + 1;
    skipping = false;
  }
  return skipping || at === output.length ? [] : [`(more: ${output[at]})`];
}

// Runs in a folder that sees the project's files but keeps what it writes to itself.
function run(command: string): { lines: string[]; problems: string } {
  const folder = mkdtempSync(join(tmpdir(), 'roofbeam-documentation-'));
  try {
    for (const name of ['tests', 'presets', 'docs'])
      symlinkSync(join(root, name), join(folder, name));
    const { stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(root, 'build/release')}:${process.env['PATH']}` },
    });
    return { lines: stdout.replace(/\n$/, '').split('\n'), problems: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const shown = pages.flatMap((page) => examplesOf(page).map((example) => ({ page, ...example })));

test('the README shows examples', () => {
  expect(shown.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(0);
});

describe('example', () => {
  test.each(shown)('$page: $command', ({ command, shown: lines }) => {
    const { lines: output, problems } = run(command);
    expect({ missing: unmatched(lines, output), problems }).toEqual({ missing: [], problems: '' });
  });
});
