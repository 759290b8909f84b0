// Checks that every layer of the engine includes only what engine/layers.txt allows, and that no two
// files define a type of one name: node check-layers.mjs [ENGINE]
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

// Types that a source defines for others to see: what stands in an unnamed namespace is its own.
export function typesOf(text) {
  const types = [];
  const scopes = [];
  for (const line of text.split('\n')) {
    const [, scope] = /^namespace ?([\w:]*) \{/.exec(line) ?? [];
    if (scope !== undefined) scopes.push(scope);
    else if (/^\}  \/\/ namespace/.test(line)) scopes.pop();
    const [, type] = /^(?:struct|class|enum class|union) (\w+)\b[^;]*$/.exec(line) ?? [];
    if (type !== undefined && !scopes.includes('')) types.push([...scopes, type].join('::'));
  }
  return types;
}

// Every broken rule of the tree under `engine`, each as one line of text.
export function brokenRules(engine) {
  const { rank, exceptions, problems } = parseLayers(
    readFileSync(join(engine, 'layers.txt'), 'utf8'),
  );
  let files = 0;
  const definedIn = new Map(); // two layouts of one name would be told apart by no linker
  for (const layer of readdirSync(engine, { withFileTypes: true })) {
    if (!layer.isDirectory()) continue;
    if (!rank.has(layer.name)) {
      problems.push(`engine/${layer.name} is not in engine/layers.txt`);
      continue;
    }
    for (const name of readdirSync(join(engine, layer.name), { recursive: true })) {
      if (!/\.(h|cpp)$/.test(name)) continue;
      files += 1;
      const file = `engine/${layer.name}/${name}`;
      const text = readFileSync(join(engine, layer.name, name), 'utf8');
      for (const type of typesOf(text)) {
        const other = definedIn.get(type);
        if (other !== undefined) problems.push(`${file} defines ${type}, as ${other} does`);
        definedIn.set(type, file);
      }
      for (const [, included] of text.matchAll(/^\s*#\s*include\s*"([^"]*)"/gm)) {
        const where = `${file} includes "${included}"`;
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
