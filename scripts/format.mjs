// `npm run format`: brings every source into the one format.
import { installPackages, toCheckStyle } from './lib/packages.mjs';
import { main, run, step } from './lib/process.mjs';
import { cppSources } from './lib/sources.mjs';

await main(async () => {
  await step('System packages', () => installPackages(toCheckStyle));
  await step('clang-format', async () => {
    await run('clang-format', ['-i', ...(await cppSources())]);
  });
  await step('prettier', async () => {
    await run('npx', ['--no-install', 'prettier', '--write', '--log-level', 'warn', '.']);
  });
});
