// Makes a private Python environment with PyTorch for the CPU and runs the Python tests in it:
// node scripts/test-pytorch.mjs
//
// PyTorch's build on the Python package index is the one for CUDA. Its Python dependencies are
// installed, its CUDA libraries (of no use to a machine without a GPU) are not:
// python/environment/stub_libraries.py puts empty ones in their place.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { main, root, run, step } from './lib/process.mjs';

const version = '2.15.0';
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const prefix = join(cache, 'roofbeam', `pytorch-${version}`);
const python = join(prefix, 'bin/python');
const ready = join(prefix, 'ready');
const environment = join(root, 'python/environment');

// What the environment is made from: another text makes another environment.
function recipe() {
  const hash = createHash('sha256').update(version);
  for (const file of ['requirements.txt', 'stub_libraries.py'])
    hash.update(readFileSync(join(environment, file)));
  return hash.digest('hex');
}

async function install() {
  if (existsSync(ready) && readFileSync(ready, 'utf8') === recipe()) return;
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(prefix, { recursive: true });
  await run('python3', ['-m', 'venv', prefix]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir'];
  await run(python, [...pip, '-r', join(environment, 'requirements.txt')]);
  await run(python, [...pip, '--no-deps', `torch==${version}`]);
  const where = 'import sysconfig; print(sysconfig.get_paths()["platlib"], end="")';
  const packages = await run(python, ['-c', where]);
  await run(python, [join(environment, 'stub_libraries.py'), join(packages, 'torch')]);
  writeFileSync(ready, recipe());
}

await main(async () => {
  await step('PyTorch', install);
  await step('Python tests', async () => {
    await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'python'], { show: true });
  });
});
