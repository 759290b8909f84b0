// `npm run generate`: writes wasm/src/contract.ts, the TypeScript types of everything that crosses the engine's
// boundary, from presets/schema/. With --check it only tells whether the file is up to date.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { Failure, main, root } from './lib/process.mjs';

const schemas = join(root, 'presets/schema');
const output = join(root, 'wasm/src/contract.ts');
// What stays inside the engine.
const internal = [
  'block.schema.json',
  'primitive.schema.json',
  'importer.schema.json',
  'family.schema.json',
  'models.schema.json',
];

await main(async () => {
  const wanted = await types();
  const present = existsSync(output) ? readFileSync(output, 'utf8') : '';
  if (present === wanted) return;
  if (process.argv.includes('--check')) {
    throw new Failure('wasm/src/contract.ts is stale: `npm run generate` writes it anew.');
  }
  writeFileSync(output, wanted);
});

// One schema over all of them, so that a type which several files mention is written once.
function types() {
  const names = readdirSync(schemas).filter(
    (name) => name.endsWith('.schema.json') && !internal.includes(name),
  );
  const keys = names.map((name) => name.replace('.schema.json', ''));
  const contract = {
    description: 'The kinds of JSON documents, by the names of their schemas.',
    type: 'object',
    properties: Object.fromEntries(names.map((name, i) => [keys[i], { $ref: name }])),
    required: keys,
    additionalProperties: false,
  };
  return compile(contract, 'Contract', {
    bannerComment: '// Written by scripts/generate.mjs from presets/schema/.',
    cwd: `${schemas}/`,
    style: { singleQuote: true, printWidth: 100 },
  });
}
