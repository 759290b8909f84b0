// What comes from the machine's package manager, and what comes from npm.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, attempt, root, run, which } from './process.mjs';

// Debian packages, each with the program or file that tells whether it is needed. A compiler or a CMake
// that the user put on the PATH counts as well as Debian's.
export const toBuild = [
  { package: 'g++', program: 'g++' },
  { package: 'cmake', program: 'cmake' },
  { package: 'ninja-build', program: 'ninja' },
  { package: 'ccache', program: 'ccache' },
  { package: 'lld', program: 'ld.lld' },
  { package: 'libcli11-dev', file: '/usr/include/CLI/CLI.hpp' },
  { package: 'googletest', file: '/usr/src/googletest/googletest/src/gtest-all.cc' },
];
export const toTest = [{ package: 'chromium', program: 'chromium' }];
export const toBenchmark = [
  { package: 'libbenchmark-dev', file: '/usr/include/benchmark/benchmark.h' },
  { package: 'valgrind', program: 'valgrind' },
];
export const toCheckStyle = [
  { package: 'clang-format', program: 'clang-format' },
  { package: 'clang-tidy', program: 'clang-tidy' },
];

const present = ({ program, file }) => (program ? which(program) !== undefined : existsSync(file));

// Installs those of the packages that the machine lacks. Returns a remark.
export async function installPackages(wanted) {
  const missing = wanted.filter((entry) => !present(entry)).map((entry) => entry.package);
  if (missing.length === 0) return 'nothing missing';
  await aptInstall(missing);
  return `installed ${missing.join(', ')}`;
}

export async function aptInstall(packages) {
  if (!which('apt-get')) {
    throw new Failure(
      `Please install, in your system's way: ${packages.join(', ')} (names of Debian's packages).`,
    );
  }
  const isRoot = process.getuid() === 0;
  if (!isRoot && !which('sudo')) {
    throw new Failure(`Please install as root: apt-get install ${packages.join(' ')}`);
  }
  const apt = (...args) => {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    return isRoot ? [command[0], command.slice(1)] : ['sudo', command];
  };
  // A source that can't be reached is no reason to stop: the packages may come from another one.
  await attempt(...apt('update'));
  await run(...apt('install', '--no-install-recommends', '-y', ...packages));
}

// `npm ci`, unless every locked package is there in its locked version. Returns a remark.
export async function installNpmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const record = join(root, 'node_modules/.package-lock.json');
  const installed = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).packages : {};
  const missing = Object.entries(lock).filter(
    ([path, { version, optional, link }]) =>
      path.includes('node_modules/') && !optional && !link && installed[path]?.version !== version,
  );
  if (missing.length === 0) return 'nothing missing';
  await run('npm', ['ci', '--no-audit', '--no-fund']);
  return `installed ${Object.keys(lock).length - 1} packages`;
}
