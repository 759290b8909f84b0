// The command line is one C++ source compiled twice. Every case of cases/ runs through the native binary and
// through the npm package's bin, in a folder of its own each: both must leave the same bytes behind.
//
// A case: { args, files?, stdin?, exit_code? (0) }. A file is text, or { base64 }, or { repeat, times }, which
// may also have before and after. Where NAME.stdout lies beside NAME.json, the output must be that text.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

type FileContents =
  | string
  | { readonly base64: string }
  | {
      readonly before?: string;
      readonly repeat: string;
      readonly times: number;
      readonly after?: string;
    };

interface Case {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, FileContents>>;
  readonly stdin?: string;
  readonly exit_code?: number;
}

const root = join(import.meta.dirname, '../..');
const native = [join(root, 'build/release/roofbeam')];
const npm = [process.execPath, join(root, 'dist/bin.js')];

function bytes(contents: FileContents): Buffer {
  if (typeof contents === 'string') return Buffer.from(contents);
  if ('base64' in contents) return Buffer.from(contents.base64, 'base64');
  const { before = '', repeat, times, after = '' } = contents;
  return Buffer.from(before + repeat.repeat(times) + after);
}

function filesIn(folder: string): Record<string, string> {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).sort();
  return Object.fromEntries(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path)).toString('latin1')]),
  );
}

function replay([program, ...first]: readonly string[], { args, files = {}, stdin = '' }: Case) {
  const folder = mkdtempSync(join(tmpdir(), 'roofbeam-replay-'));
  try {
    for (const [path, contents] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes(contents));
    }
    const { stdout, stderr, status, signal } = spawnSync(program!, [...first, ...args], {
      cwd: folder,
      input: stdin,
      maxBuffer: 1 << 28,
    });
    return {
      exitCode: status ?? signal,
      stdout: stdout.toString('latin1'),
      stderr: stderr.toString('latin1'),
      files: filesIn(folder),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function expectSameOutcome(given: Case) {
  const outcome = replay(native, given);
  expect(outcome.exitCode).toBe(given.exit_code ?? 0);
  expect(replay(npm, given)).toEqual(outcome);
  return outcome;
}

const cases = join(import.meta.dirname, 'cases');
describe('case', () => {
  test.each(readdirSync(cases).filter((name) => name.endsWith('.json')))('%s', async (name) => {
    const outcome = expectSameOutcome(JSON.parse(readFileSync(join(cases, name), 'utf8')));
    const golden = join(cases, `${basename(name, '.json')}.stdout`);
    const stdout = Buffer.from(outcome.stdout, 'latin1').toString();
    if (existsSync(golden)) await expect(stdout).toMatchFileSnapshot(golden);
  });
});

interface Listing {
  readonly presets: readonly { readonly name: string }[];
}
const { stdout: listing } = spawnSync(native[0]!, ['list', '--json']);
const presets = (JSON.parse(listing.toString()) as Listing).presets.map(({ name }) => name);

// The three operating points of the expected numbers.
const operatingPoints = {
  default: '',
  sharded:
    '--dtype fp8 --gpus 64 --dp 4 --tp 8 --pp 2 --zero 3 --sequence-parallel --optimizer adamw8bit ' +
    '--recompute full --tokens 15e12 --concurrency 32',
  eager: '--T 8192 --B 4 --kv-dtype fp8 --gpus 8 --recompute selective --no-flash',
};
describe.each(Object.entries(operatingPoints))('every preset, %s', (_, flags) => {
  test.each(presets)('%s', (preset) => {
    const options = flags.split(' ').filter((flag) => flag !== '');
    expectSameOutcome({ args: ['analyze', preset, '--json', ...options] });
  });
});
