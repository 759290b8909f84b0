// What people drop by mistake or on purpose: each must be answered with what is wrong and what is wanted.
import { readFileSync } from 'node:fs';

const qwen3 = JSON.parse(
  readFileSync(new URL('./fixtures/qwen3-8b.json', import.meta.url), 'utf8'),
);

function without(...keys) {
  return JSON.stringify(
    Object.fromEntries(Object.entries(qwen3).filter(([key]) => !keys.includes(key))),
  );
}

function but(changes) {
  return JSON.stringify({ ...qwen3, ...changes });
}

function raw(key, text) {
  const marked = JSON.stringify({ ...qwen3, [key]: 'VALUE' });
  return marked.replace('"VALUE"', text);
}

// `says`: what the diagnostics shown must mention. `bytes` may be text or a number of bytes to fill.
export const badInputs = [
  { name: 'an empty file', bytes: '', says: [/empty|JSON/i] },
  { name: 'text that is not JSON', bytes: 'hello, world', says: [/JSON/i] },
  { name: 'JSON that is not an object', bytes: '[1, 2, 3]', says: [/object/i] },
  { name: 'no model_type', bytes: without('model_type'), says: [/model_type/] },
  { name: 'an unknown model_type', bytes: but({ model_type: 'foo' }), says: [/foo/, /llama/] },
  { name: 'a required field missing', bytes: without('hidden_size'), says: [/hidden_size/] },
  {
    name: 'two required fields missing',
    bytes: without('hidden_size', 'vocab_size'),
    says: [/hidden_size/, /vocab_size/],
  },
  {
    name: 'a negative count',
    bytes: but({ num_hidden_layers: -36 }),
    says: [/num_hidden_layers/, /-36/],
  },
  {
    name: 'a fractional count',
    bytes: but({ hidden_size: 4096.5 }),
    says: [/hidden_size/, /4096\.5/],
  },
  {
    name: 'heads that do not divide',
    bytes: but({ num_key_value_heads: 5 }),
    says: [/num_key_value_heads|5/],
  },
  {
    name: '10,000-deep nesting',
    bytes: '['.repeat(10_000) + ']'.repeat(10_000),
    says: [/deep|nest|level|object/i],
  },
  {
    name: '10,000-deep objects',
    bytes: raw('extra', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)),
    says: [/deep|nest|level/i],
  },
  { name: '1e308', bytes: raw('hidden_size', '1e308'), says: [/hidden_size/] },
  { name: 'Infinity', bytes: raw('hidden_size', 'Infinity'), says: [/JSON|hidden_size|Infinity/i] },
  { name: 'a file of 50 MB', bytes: 50_000_000, says: [/bytes/, /50,000,000/] },
  {
    name: 'duplicate keys',
    bytes: JSON.stringify(qwen3).replace('{', '{"hidden_size":1,'),
    says: [/hidden_size/, /2 times|once/],
  },
  {
    name: 'UTF-16',
    bytes: Buffer.from(`\ufeff${JSON.stringify(qwen3)}`, 'utf16le'),
    says: [/UTF-16/],
  },
  {
    name: 'bytes that are no text',
    bytes: Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x7d]),
    says: [/UTF-8/],
  },
];

// Not wrong, but hostile: the name is shown and must stay text.
export const hostileConfig = but({
  _name_or_path: '<script>globalThis.hacked = true</script><img src=x onerror="hacked=1">',
});
