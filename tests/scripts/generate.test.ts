import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the TypeScript types are those of the schemas', () => {
  const root = join(import.meta.dirname, '../..');
  const check = () =>
    execFileSync(process.execPath, ['scripts/generate.mjs', '--check'], { cwd: root });
  expect(check).not.toThrow();
});
