import { expect, test } from 'vitest';
import { kLargestFileBytes, readFile } from '../../web/src/state/files';

const encoder = new TextEncoder();

function file(bytes: Uint8Array<ArrayBuffer>): File {
  return new File([bytes], 'config.json');
}

function utf16(text: string, order: 'little' | 'big', mark: boolean): Uint8Array<ArrayBuffer> {
  const all = mark ? `\ufeff${text}` : text;
  const view = new DataView(new ArrayBuffer(2 * all.length));
  [...all].forEach((character, index) =>
    view.setUint16(2 * index, character.charCodeAt(0), order === 'little'),
  );
  return new Uint8Array(view.buffer);
}

test('text comes as it is, without a byte order mark', async () => {
  expect(await readFile(file(encoder.encode('\ufeff{"name":"模型"}')))).toEqual({
    ok: true,
    name: 'config.json',
    text: '{"name":"模型"}',
  });
});

test('an empty file is text; the engine says what is missing', async () => {
  expect(await readFile(file(new Uint8Array()))).toMatchObject({ ok: true, text: '' });
});

test.each([
  ['little endian with a mark', utf16('{"a":1}', 'little', true), 'file.utf16'],
  ['big endian with a mark', utf16('{"a":1}', 'big', true), 'file.utf16'],
  ['little endian without', utf16('{"a":1}', 'little', false), 'file.utf16'],
  ['big endian without', utf16('{"a":1}', 'big', false), 'file.utf16'],
  ['Latin-1', new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]), 'file.not_utf8'],
  ['too large', new Uint8Array(kLargestFileBytes + 1), 'file.too_large'],
])('%s is told of, with what is expected', async (_name, bytes, code) => {
  const read = await readFile(file(bytes));
  expect(read).toMatchObject({ ok: false, name: 'config.json', diagnostics: [{ code }] });
  expect(!read.ok && read.diagnostics[0]?.message).toMatch(/expected/);
});

test('a folder is told of', async () => {
  const folder = {
    name: 'weights',
    size: 4096,
    arrayBuffer: () => Promise.reject(new Error('not a file')),
  };
  expect(await readFile(folder as unknown as File)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'file.unreadable' }],
  });
});
