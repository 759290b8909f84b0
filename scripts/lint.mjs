// `npm run lint`: format, types, generated files and clang-tidy. Everything is checked before it ends.
import { cpus } from 'node:os';
import { buildPreset } from './lib/build.mjs';
import { installPackages, toBuild, toCheckStyle } from './lib/packages.mjs';
import { Failure, attempt, main, step } from './lib/process.mjs';
import { cppSources, sources } from './lib/sources.mjs';

await main(async () => {
  await step('System packages', () => installPackages([...toBuild, ...toCheckStyle]));

  const failed = [];
  async function check(name, program, args) {
    await step(name, async () => {
      const { code, output } = await attempt(program, args);
      if (code === 0) return 'good';
      console.log(output);
      failed.push(name);
      return 'not good';
    });
  }
  const npx = (...args) => ['npx', ['--no-install', ...args]];
  await check('clang-format', 'clang-format', ['--dry-run', '--Werror', ...(await cppSources())]);
  await check('prettier', ...npx('prettier', '--check', '--log-level', 'warn', '.'));
  await check('layers', 'node', ['scripts/check-layers.mjs']);
  await check('generated types', 'node', ['scripts/generate.mjs', '--check']);
  await check('types of the package', ...npx('tsc', '-p', 'wasm/tsconfig.json', '--noEmit'));
  await check('types of the tests', ...npx('tsc', '-p', 'tests/tsconfig.json'));
  await check('types of the site', 'npm', ['run', 'typecheck', '--workspace', 'web']);

  await step('compile commands', () => buildPreset('dev'));
  const compiled = await sources('engine/*.cpp', 'tests/unit/*.cpp');
  await check('clang-tidy', 'sh', [
    '-c',
    `printf '%s\\n' "$@" | xargs -n 1 -P ${cpus().length} clang-tidy -p build/dev --quiet`,
    'sh',
    ...compiled,
  ]);

  if (failed.length > 0) throw new Failure(`Not good: ${failed.join(', ')}`);
});
