// `npm start`: installs what is missing, builds, shows a first analysis and serves the site.
import { join } from 'node:path';
import { buildPackage, buildPreset, buildSite, nativeBinary } from './lib/build.mjs';
import { installEmscripten } from './lib/emscripten.mjs';
import { installNpmPackages, installPackages, toBuild } from './lib/packages.mjs';
import { main, root, run, step } from './lib/process.mjs';
import { serve } from './lib/serve.mjs';

await main(async () => {
  await step('System packages', () => installPackages(toBuild));
  await step('npm packages', installNpmPackages);
  await step('Emscripten', installEmscripten);
  await step('Native command line', () => buildPreset('release', ['roofbeam']));
  await step('WebAssembly modules', () =>
    buildPreset('wasm', ['roofbeam_wasm', 'roofbeam_cli_wasm']),
  );
  await step('npm package', buildPackage);
  await step('Site', buildSite);

  console.log('\n$ build/release/roofbeam analyze llama-3-8b\n');
  console.log(await run(nativeBinary, ['analyze', 'llama-3-8b']));
  const { url } = await serve(join(root, 'web/dist'), Number(process.env.PORT ?? 4173));
  console.log(`The site is at ${url} (Ctrl+C ends it)`);
});
