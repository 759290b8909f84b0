// Writes wasm/src/generated/ from presets/schema/: node scripts/generate.mjs. With --check it only tells
// whether what is there is up to date.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFromFile } from 'json-schema-to-typescript';
import { Failure, main, root } from './lib/process.mjs';

const schemas = join(root, 'presets/schema');
const output = join(root, 'wasm/src/generated');

await main(async () => {
  const wanted = new Map();
  for (const name of readdirSync(schemas).filter((name) => name.endsWith('.schema.json'))) {
    wanted.set(name.replace('.schema.json', '.ts'), await types(name));
  }
  const present = existsSync(output) ? readdirSync(output) : [];
  const stale = [
    ...[...wanted]
      .filter(([name, text]) => !present.includes(name) || read(name) !== text)
      .map(([name]) => name),
    ...present.filter((name) => !wanted.has(name)),
  ];
  if (process.argv.includes('--check')) {
    if (stale.length > 0) {
      throw new Failure(
        `wasm/src/generated/ is stale: ${stale.join(', ')}. \`npm run generate\` writes it anew.`,
      );
    }
    return;
  }
  mkdirSync(output, { recursive: true });
  for (const name of stale) {
    if (wanted.has(name)) writeFileSync(join(output, name), wanted.get(name));
    else rmSync(join(output, name));
  }
});

function read(name) {
  return readFileSync(join(output, name), 'utf8');
}

function types(name) {
  return compileFromFile(join(schemas, name), {
    bannerComment: `// Written by scripts/generate.mjs from presets/schema/${name}.`,
    cwd: schemas,
    format: true,
    style: { singleQuote: true, printWidth: 100 },
    additionalProperties: false,
  });
}
