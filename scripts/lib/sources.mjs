// The files that style checks look at: what git tracks or would.
import { root, run } from './process.mjs';

export async function sources(...patterns) {
  const output = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    {
      cwd: root,
    },
  );
  return [...new Set(output.split('\n').filter((path) => path !== ''))];
}

export const cppSources = () => sources('*.h', '*.cpp');
