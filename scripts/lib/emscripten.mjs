// The WebAssembly compiler: the user's own if there is one, else Debian 13's, which Debian 12 gets in a
// folder of its own. build/emscripten-root tells cmake/emscripten.cmake which one it is.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aptInstall } from './packages.mjs';
import { Failure, attempt, root, run, which } from './process.mjs';

const wanted = '3.1.69';
const record = join(root, 'build/emscripten-root');
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const prefix = join(cache, 'roofbeam', `emscripten-${wanted}`);
const rootInPrefix = (folder) => join(folder, 'usr/share/emscripten');

// Finds or installs Emscripten and records its folder. Returns a remark.
export async function installEmscripten() {
  const found = await locate();
  mkdirSync(dirname(record), { recursive: true });
  if (!existsSync(record) || readFileSync(record, 'utf8') !== found.folder)
    writeFileSync(record, found.folder);
  return `${found.version} in ${found.folder}`;
}

async function locate() {
  const onPath = which('emcc');
  if (onPath) return checked(dirname(realpathSync(onPath)), 'on your PATH');
  if (!existsSync(prefix)) {
    const { ID: system, VERSION_ID: release } = osRelease();
    if (system === 'debian' && release === '12') {
      await installPrivately();
    } else if (system === 'debian' && Number(release) >= 13) {
      await aptInstall(['emscripten']);
      return checked('/usr/share/emscripten', "from Debian's package");
    } else {
      throw new Failure(
        `Please put Emscripten ${wanted} or newer on your PATH (emsdk installs it anywhere).`,
      );
    }
  }
  return checked(rootInPrefix(prefix), `in ${prefix}`);
}

async function checked(folder, where) {
  const { code, output } = await attempt(join(folder, 'em++'), ['--version']);
  const version = /(\d+\.\d+\.\d+)/.exec(output)?.[1];
  if (code !== 0 || !version) throw new Failure(`Emscripten ${where} does not run:\n${output}`);
  if (isOlder(version, wanted)) {
    throw new Failure(
      `Emscripten ${where} is version ${version}; Roofbeam needs ${wanted} or newer.\n` +
        'Update it, or take it off the PATH to have a suitable one installed.',
    );
  }
  return { folder, version };
}

function isOlder(version, than) {
  const parts = (text) => text.split('.').map(Number);
  const [a, b] = [parts(version), parts(than)];
  const first = a.findIndex((part, i) => part !== b[i]);
  return first >= 0 && a[first] < b[first];
}

function osRelease() {
  const text = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, key, value]) => [key, value]),
  );
}

// Debian 13's Emscripten and Binaryen on Debian 12, without touching the system's packages: unpacked into one
// folder, where Binaryen's programs run with the newer C library that is unpacked beside them. Clang, its
// linker and LLVM are the same version 19 in both releases and come from the system. The folder takes its
// final name only when it is complete.
async function installPrivately() {
  await aptInstall(['clang-19', 'lld-19', 'llvm-19', 'python3']);
  const partial = `${prefix}.${process.pid}`;
  const scratch = mkdtempSync(join(tmpdir(), 'roofbeam-'));
  try {
    mkdirSync(partial, { recursive: true });
    for (const file of await downloadFromNextRelease(scratch, [
      'emscripten',
      'binaryen',
      'libc6',
      'libstdc++6',
      'libgcc-s1',
    ])) {
      await run('sh', [
        '-c',
        `dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" ${unused}`,
        'sh',
        file,
        partial,
      ]);
    }
    wrapBinaryen(partial);
    configure(partial);
    if (!existsSync(prefix)) renameSync(partial, prefix);
  } finally {
    rmSync(partial, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

// Half a gigabyte of manuals and of library variants that Roofbeam does not link.
const unused = [
  '*/emscripten/test',
  '*/usr/share/man',
  '*/usr/share/doc',
  '*/wasm32-emscripten/pic',
  '*/wasm32-emscripten/lto*',
  '*/wasm32-emscripten/thinlto*',
  '*-mt*.a',
  '*-ww-*.a',
  '*/wasm64-emscripten',
]
  .map((pattern) => `--exclude='${pattern}'`)
  .join(' ');

// Downloads packages with apt's own tools, keys and proxies, from the mirror that the system uses, but with
// package lists of our own so that the system never learns of the other release.
async function downloadFromNextRelease(scratch, packages) {
  const targets = await run('apt-get', [
    'indextargets',
    '--format',
    '$(SITE) $(RELEASE) $(COMPONENT)',
    'Created-By: Packages',
  ]);
  const mirror = targets
    .split('\n')
    .map((line) => line.split(' '))
    .find(
      ([, release, component]) =>
        /^(bookworm|stable|oldstable)$/.test(release) && component === 'main',
    )?.[0];
  if (!mirror)
    throw new Failure(
      "apt's sources have no Debian 12 main archive to take Emscripten's mirror from.",
    );

  for (const folder of ['lists/partial', 'cache/archives/partial', 'packages', 'none']) {
    mkdirSync(join(scratch, folder), { recursive: true });
  }
  chmodSync(scratch, 0o755); // apt fetches as a user of its own
  writeFileSync(
    join(scratch, 'sources.list'),
    `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} trixie main\n`,
  );
  const settings = {
    'Dir::State::Lists': 'lists',
    'Dir::Cache': 'cache',
    'Dir::Etc::SourceList': 'sources.list',
    'Dir::Etc::SourceParts': 'none',
    'Dir::Etc::PreferencesParts': 'none',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => [
    '-o',
    `${key}=${join(scratch, value)}`,
  ]);
  if (process.getuid() === 0) options.push('-o', 'APT::Sandbox::User=root');
  await run('apt-get', ['-qq', ...options, 'update']);
  const folder = join(scratch, 'packages');
  await run('apt-get', ['-qq', ...options, 'download', ...packages], { cwd: folder });
  return readdirSync(folder).map((name) => join(folder, name));
}

// Binaryen's programs need a newer C library than Debian 12 has: each is started through the unpacked one.
function wrapBinaryen(partial) {
  const libraries = [
    'lib64',
    'usr/lib64',
    'lib/x86_64-linux-gnu',
    'usr/lib/x86_64-linux-gnu',
    'usr/lib',
  ]
    .map((folder) => join(prefix, folder))
    .join(':');
  const loader = ['usr/lib64', 'lib64', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
    .map((folder) => join(folder, 'ld-linux-x86-64.so.2'))
    .find((path) => existsSync(join(partial, path)));
  const folder = join(partial, 'binaryen/bin');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(join(partial, 'usr/bin')).filter((name) =>
    name.startsWith('wasm'),
  )) {
    const program = join(prefix, 'usr/bin', name);
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nexec '${join(prefix, loader)}' --argv0 ${name} --library-path '${libraries}' '${program}' "$@"\n`,
      { mode: 0o755 },
    );
  }
}

function configure(partial) {
  const emscripten = rootInPrefix(prefix);
  writeFileSync(
    join(rootInPrefix(partial), '.emscripten'),
    `EMSCRIPTEN_ROOT = '${emscripten}'
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '${join(prefix, 'binaryen')}'
NODE_JS = '${process.execPath}'
CACHE = '${join(emscripten, 'cache')}'
FROZEN_CACHE = True
`,
  );
  // The optimizer of the JavaScript glue parses with acorn, which Debian keeps in a package of its own.
  cpSync(join(root, 'node_modules/acorn'), join(rootInPrefix(partial), 'node_modules/acorn'), {
    recursive: true,
  });
}
