// What the schema of the importers' tables refuses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const validate = new Ajv({ allErrors: true }).compile(read('presets/schema/importer.schema.json'));

test.each([
  ['an unknown member', { feilds: {} }, ''],
  ['an unknown kind of field', { fields: { a: { keys: ['a'], kind: 'cuont' } } }, '/fields/a/kind'],
  ['a field without keys', { fields: { a: { keys: [] } } }, '/fields/a/keys'],
  [
    'a code of another layer',
    { checks: { a: { that: 'b', code: 'json.type' } } },
    '/checks/a/code',
  ],
  ['a warning with a condition to hold', { warnings: { a: { that: 'b' } } }, '/warnings/a'],
  ['a wire of one end', { wires: { text: ['tokens:x'] } }, '/wires/text'],
])('%s is refused', (_, table, place) => {
  expect(validate(table)).toBe(false);
  expect(validate.errors?.map((error) => error.instancePath)).toContain(place);
});
