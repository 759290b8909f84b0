// Every file of presets/ fits the schema of its folder.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import { expect, test } from 'vitest';

const presets = join(import.meta.dirname, '../../presets');
const read = (path: string) => JSON.parse(readFileSync(join(presets, path), 'utf8'));
const jsonFiles = (folder: string) =>
  readdirSync(join(presets, folder)).filter((name) => name.endsWith('.json'));

const schemaOf: Record<string, string> = {
  blocks: 'block',
  designs: 'design',
  devices: 'device',
  families: 'family',
  importers: 'importer',
  models: 'models',
  primitives: 'primitive',
};

const ajv = new Ajv({ allErrors: true, strict: false });
for (const name of jsonFiles('schema')) ajv.addSchema(read(`schema/${name}`));

const folders = readdirSync(presets).filter((name) => name !== 'schema');
const files = folders.flatMap((folder) => jsonFiles(folder).map((name) => [folder, name] as const));

test('no folder is without a schema', () => {
  expect(folders.filter((folder) => !(folder in schemaOf))).toEqual([]);
});

test.each(files)('%s/%s', (folder, name) => {
  const validate = ajv.getSchema(`${schemaOf[folder]}.schema.json`)!;
  validate(read(`${folder}/${name}`));
  expect(validate.errors).toBeNull();
});
