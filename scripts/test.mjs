// `npm test`: installs what is missing, builds everything and runs every test.
import { buildPackage, buildPreset, buildSite } from './lib/build.mjs';
import { installEmscripten } from './lib/emscripten.mjs';
import { installNpmPackages, installPackages, toBuild, toTest } from './lib/packages.mjs';
import { main, step } from './lib/process.mjs';
import { ctest, script, vitest } from './lib/suites.mjs';

await main(async () => {
  await step('System packages', () => installPackages([...toBuild, ...toTest]));
  await step('npm packages', installNpmPackages);
  await step('Emscripten', installEmscripten);
  await step('Native build', () => buildPreset('release'));
  await step('WebAssembly build', () => buildPreset('wasm'));
  await step('npm package', buildPackage);
  await step('Site', buildSite);

  const total = { passed: 0, failed: 0 };
  async function suite(name, runTests) {
    await step(name, async () => {
      const { passed, failed } = await runTests();
      total.passed += passed;
      total.failed += failed;
      if (passed + failed > 0) return `${passed} passed, ${failed} failed`;
      total.failed += 1;
      return 'no test ran';
    });
  }
  await suite('Engine, native', () => ctest('release'));
  await suite('Engine, WebAssembly', () => ctest('wasm'));
  await suite('Package and command line', () => vitest());
  await suite('Site', () => vitest('--root', 'web'));
  await suite('Site in Chromium', () => script('tests/e2e/site.mjs'));

  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
