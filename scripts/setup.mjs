// Installs what is missing to build and test: node scripts/setup.mjs
import { installEmscripten } from './lib/emscripten.mjs';
import { installNpmPackages, installPackages, toBuild, toTest } from './lib/packages.mjs';
import { main, step } from './lib/process.mjs';

await main(async () => {
  await step('System packages', () => installPackages([...toBuild, ...toTest]));
  await step('npm packages', installNpmPackages);
  await step('Emscripten', installEmscripten);
});
