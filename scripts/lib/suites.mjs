// Running test programs and counting what they say.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from './process.mjs';

// CTest runs GoogleTest programs, each counted by its own tests, and checks, each counted as one.
export async function ctest(preset) {
  const { code, output } = await attempt('ctest', ['--preset', preset, '--verbose']);
  const counts = countCTest(output);
  if (code !== 0 && counts.failed === 0) counts.failed = 1; // CTest itself failed
  if (counts.failed > 0) console.log(output);
  return counts;
}

export function countCTest(output) {
  const counts = { passed: 0, failed: 0 };
  const ofProgram = new Map(); // by CTest's number, what the program itself counted
  for (const line of output.split('\n')) {
    const [, number, said] = /^(\d+): (.*)$/.exec(line) ?? [];
    const [, result, count] =
      /^\[ {2}(PASSED|FAILED) {2}\] (\d+) tests?[.,]/.exec(said ?? '') ?? [];
    if (result) {
      const own = ofProgram.get(number) ?? { passed: 0, failed: 0 };
      own[result.toLowerCase()] += Number(count);
      ofProgram.set(number, own);
      continue;
    }
    const [, finished, verdict] =
      /^\s*\d+\/\d+ Test\s+#(\d+): .*?\.+\s*(\*\*\*\w+|Passed|Failed)/.exec(line) ?? [];
    if (!finished) continue;
    const own = ofProgram.get(finished);
    const passed = verdict === 'Passed';
    if (own === undefined) {
      counts[passed ? 'passed' : 'failed'] += 1;
      continue;
    }
    counts.passed += own.passed;
    // A program that died after its summary, or that held no test, told of no failure of its own.
    counts.failed += own.failed === 0 && (!passed || own.passed === 0) ? 1 : own.failed;
  }
  return counts;
}

export async function vitest(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'roofbeam-vitest-'));
  const report = join(folder, 'report.json');
  try {
    const { code, output } = await attempt('npx', [
      '--no-install',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ]);
    const counts = readCounts(report);
    if (code !== 0 && counts.failed === 0) counts.failed = 1; // no report, or an error outside of the tests
    if (counts.failed > 0) console.log(output);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A script that closes with "N passed, N failed".
export async function script(path) {
  const { code, output } = await attempt('node', [path]);
  const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed/m.exec(output) ?? [];
  const counts = { passed: Number(passed), failed: Number(failed) };
  if (code !== 0 && counts.failed === 0) counts.failed = 1; // it died on the way
  if (counts.failed > 0) console.log(output);
  return counts;
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
