// The TypeScript API over the real module, as a program that uses the package sees it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Engine, InvalidRequest, createEngine } from '../../dist/node.js';

const root = join(import.meta.dirname, '../..');
let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});

test('tells the version of the package', () => {
  expect(engine.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
});

describe('run', () => {
  test('answers a request', () => {
    const { result, notes } = engine.run({
      schema_version: 1,
      command: 'analyze',
      preset: 'llama-3-8b',
    });
    expect(result.params.total).toBe(8_030_261_248);
    expect(notes).toBeInstanceOf(Array);
  });

  test('throws all that is wrong with a request', () => {
    const wrong = {
      schema_version: 1,
      command: 'analyze',
      presett: 'llama-3-8b',
      options: { TT: 1 },
    };
    const error = catchError(() => engine.run(wrong as never));
    expect(error).toBeInstanceOf(InvalidRequest);
    const paths = (error as InvalidRequest).diagnostics.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/presett', '/options/TT']));
  });
});

describe('ask', () => {
  test('answers text with text, a wrong request too', () => {
    expect(JSON.parse(engine.ask('{'))).toMatchObject({ ok: false, diagnostics: [{ path: '' }] });
  });

  test('refuses what is not text', () => {
    expect(() => engine.ask(7 as never)).toThrow(TypeError);
    expect(engine.list().presets.length).toBeGreaterThan(0);
  });

  test('survives characters of every length and a lone surrogate', () => {
    for (const text of ['é', '漢', '🙂', '\ud800', '\0']) {
      const response = JSON.parse(engine.ask(JSON.stringify({ command: text })));
      expect(response.ok).toBe(false);
    }
  });
});

describe('typed helpers', () => {
  test('analyze takes options', () => {
    const { options } = engine.analyze({ preset: 'llama-3-8b', options: { T: 4096, gpus: 2 } });
    expect(options).toMatchObject({ T: 4096, gpus: 2 });
  });

  test('importConfig gives a document that analyze takes', () => {
    const config = {
      model_type: 'llama',
      vocab_size: 1000,
      hidden_size: 64,
      intermediate_size: 128,
      num_hidden_layers: 2,
      num_attention_heads: 4,
    };
    const { doc, params } = engine.importConfig(JSON.stringify(config), 'tiny');
    expect(engine.analyze({ design: doc }).params.total).toBe(params.total);
  });

  test('list knows presets, devices and model types', () => {
    const { presets, hardware, model_types } = engine.list();
    expect(presets.map(({ name }) => name)).toContain('llama-3-8b');
    expect(hardware.length).toBeGreaterThan(0);
    expect(model_types).toContain('llama');
  });
});

test('engines are independent of one another', async () => {
  const other = await createEngine(readFileSync(join(root, 'dist/roofbeam.wasm')));
  expect(other.ask('{"command":"list"}')).toBe(engine.ask('{"command":"list"}'));
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
