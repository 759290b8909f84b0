// Checks that every layer of the engine includes only what engine/layers.txt allows: node check-layers.mjs [ENGINE]
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/process.mjs';

// "base", "analysis rules simulate" and "plan -> mup: reason" become ranks and reasoned exceptions.
export function parseLayers(text) {
  const rank = new Map(); // in the order of the text
  const exceptions = new Map();
  const problems = [];
  const order = (layer) => [...rank.keys()].indexOf(layer);
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  for (const [height, line] of lines.entries()) {
    const [, from, to, reason] = /^(\w+) -> (\w+):?\s*(.*)$/.exec(line) ?? [];
    if (from === undefined) {
      for (const layer of line.split(' ')) rank.set(layer, height);
    } else if (reason === '') {
      problems.push(`${from} -> ${to} gives no reason`);
    } else if (rank.get(from) !== rank.get(to) || order(from) <= order(to)) {
      problems.push(
        `${from} -> ${to}: only a sibling named earlier on the same line can be an exception`,
      );
    } else {
      exceptions.set(`${from} -> ${to}`, false);
    }
  }
  return { rank, exceptions, problems };
}

// Every broken rule of the tree under `engine`, each as one line of text.
export function brokenRules(engine) {
  const { rank, exceptions, problems } = parseLayers(
    readFileSync(join(engine, 'layers.txt'), 'utf8'),
  );
  let files = 0;
  for (const layer of readdirSync(engine, { withFileTypes: true })) {
    if (!layer.isDirectory()) continue;
    if (!rank.has(layer.name)) {
      problems.push(`engine/${layer.name} is not in engine/layers.txt`);
      continue;
    }
    for (const name of readdirSync(join(engine, layer.name), { recursive: true })) {
      if (!/\.(h|cpp)$/.test(name)) continue;
      files += 1;
      for (const [, included] of readFileSync(join(engine, layer.name, name), 'utf8').matchAll(
        /^\s*#\s*include\s*"([^"]*)"/gm,
      )) {
        const where = `engine/${layer.name}/${name} includes "${included}"`;
        const [, target] = /^engine\/(\w+)\//.exec(included) ?? [];
        const exception = `${layer.name} -> ${target}`;
        if (target === undefined) {
          problems.push(`${where}: write the path from the repository's root, engine/...`);
        } else if (!rank.has(target)) {
          problems.push(`${where}: ${target} is not in engine/layers.txt`);
        } else if (exceptions.has(exception)) {
          exceptions.set(exception, true);
        } else if (target !== layer.name && rank.get(target) >= rank.get(layer.name)) {
          problems.push(`${where}: ${target} is not below ${layer.name} in engine/layers.txt`);
        }
      }
    }
  }
  for (const [exception, used] of exceptions) {
    if (!used) problems.push(`${exception} is allowed in engine/layers.txt but no longer needed`);
  }
  if (files === 0) problems.push(`no source file under ${engine}`);
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = brokenRules(process.argv[2] ?? join(root, 'engine'));
  for (const problem of problems) console.log(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
