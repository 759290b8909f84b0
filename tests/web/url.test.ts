import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kOptionIds } from '../../web/src/state/options';
import {
  kInitialState,
  kPathColumns,
  kViews,
  type AppState,
  type Model,
} from '../../web/src/state/state';
import { decodeState, encodeState } from '../../web/src/state/url';

const model: fc.Arbitrary<Model> = fc.oneof(
  fc.record({ kind: fc.constant('preset' as const), name: fc.string() }),
  fc.record({
    kind: fc.constant('file' as const),
    name: fc.string(),
    text: fc.string({ unit: 'grapheme', maxLength: 4000 }),
  }),
);

const state: fc.Arbitrary<AppState> = fc.record({
  model,
  point: fc.dictionary(
    fc.constantFrom(...kOptionIds),
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fc.string(),
      fc.boolean(),
    ),
    { noNullPrototype: true },
  ),
  view: fc.constantFrom(...kViews),
  block: fc.option(fc.string(), { nil: undefined }),
  compare: fc.option(model, { nil: undefined }),
  paths: fc.record({
    sort: fc.constantFrom(...kPathColumns, 'document' as const),
    descending: fc.boolean(),
    filter: fc.string({ unit: 'grapheme' }),
    grouped: fc.boolean(),
  }),
});

test('every state survives its link', async () => {
  await fc.assert(
    fc.asyncProperty(state, async (original) => {
      const fragment = await encodeState(original);
      expect(fragment).toMatch(/^#s=[A-Za-z0-9_-]+$/);
      expect(await decodeState(fragment)).toEqual(original);
    }),
    { seed: 20250101, numRuns: 300 },
  );
});

test('a whole config travels in a link, byte for byte', async () => {
  const text = JSON.stringify(
    { model_type: 'qwen3', hidden_size: 4096, note: 'ünïcode 模型 \u0000 </script>' },
    null,
    2,
  );
  const opened: AppState = { ...kInitialState, model: { kind: 'file', name: 'config.json', text } };
  expect((await decodeState(await encodeState(opened)))?.model).toEqual(opened.model);
});

test('no fragment is the initial state', async () => {
  expect(await decodeState('')).toEqual(kInitialState);
  expect(await decodeState('#')).toEqual(kInitialState);
});

test('any cut or foreign fragment is refused, never half read', async () => {
  const fragment = await encodeState(kInitialState);
  for (let length = 1; length < fragment.length; length += 1) {
    expect(await decodeState(fragment.slice(0, length)), fragment.slice(0, length)).toEqual(
      length === 1 ? kInitialState : undefined, // "#"
    );
  }
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      expect(await decodeState(`#s=${text}`)).toBeUndefined();
    }),
    { seed: 20250101, numRuns: 300 },
  );
});

async function packed(value: unknown): Promise<string> {
  // The encoder writes what it is given: a link of another version, or one made by hand.
  const { version, ...others } = value as AppState & { version?: number };
  return encodeState({ ...others, ...(version === undefined ? {} : { version }) } as AppState);
}

test.each([
  ['another version', { ...kInitialState, version: 2 }],
  ['an unknown view', { ...kInitialState, view: 'admin' }],
  ['an unknown option', { ...kInitialState, point: { speed: 1 } }],
  ['an option that is an object', { ...kInitialState, point: { T: {} } }],
  ['a model without a name', { ...kInitialState, model: { kind: 'preset' } }],
  ['a file without text', { ...kInitialState, model: { kind: 'file', name: 'x' } }],
  [
    'a table sorted by nothing',
    { ...kInitialState, paths: { ...kInitialState.paths, sort: 'price' } },
  ],
])('%s is refused', async (_name, value) => {
  expect(await decodeState(await packed(value))).toBeUndefined();
});

test('a link that unpacks to far more than it weighs is refused', async () => {
  const bomb: AppState = {
    ...kInitialState,
    model: { kind: 'file', name: 'bomb', text: ' '.repeat(17 * 1024 * 1024) },
  };
  const fragment = await encodeState(bomb);
  expect(fragment.length).toBeLessThan(64 * 1024);
  expect(await decodeState(fragment)).toBeUndefined();
});
