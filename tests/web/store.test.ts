import { expect, test } from 'vitest';
import type { AnalyzeResult, Diagnostic, Response } from 'roofbeam';
import { EngineCrash, Superseded, type Engine } from '../../web/src/engine/client';
import { kInitialState, withModel } from '../../web/src/state/state';
import { Store } from '../../web/src/state/store';

interface Asked {
  readonly lane: string;
  readonly request: {
    readonly command: string;
    readonly config?: string;
    readonly options?: Record<string, unknown>;
  };
  readonly answer: (response: Response) => void;
  readonly fail: (error: Error) => void;
}

// An engine that answers when the test says so.
class ScriptedEngine implements Engine {
  readonly asked: Asked[] = [];

  run(lane: string, request: string): Promise<Response> {
    return new Promise((answer, fail) => {
      this.asked.push({ lane, request: JSON.parse(request) as Asked['request'], answer, fail });
    });
  }
  newest(lane: string): Asked {
    return this.asked.filter((asked) => asked.lane === lane).at(-1)!;
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

function analysis(name: string): Response {
  return { ok: true, result: { name } as AnalyzeResult, notes: [] };
}

function refusal(...paths: readonly string[]): Response {
  const diagnostics = paths.map((path) => ({
    code: 'wrong',
    path,
    message: `wrong at ${path}`,
    hint: '',
  }));
  return { ok: false, diagnostics: diagnostics as [Diagnostic, ...Diagnostic[]] };
}

async function started() {
  const engine = new ScriptedEngine();
  const store = new Store(engine, kInitialState);
  void store.start();
  engine.newest('analyze').answer(analysis('first'));
  await settled();
  return { engine, store };
}

test('a change asks anew and keeps the last figures until the answer comes', async () => {
  const { engine, store } = await started();
  store.update((state) => ({ ...state, point: { T: 4096 } }));
  expect(engine.newest('analyze').request.options).toEqual({ T: 4096 });
  expect(store.answer.value).toMatchObject({ pending: true, result: { name: 'first' } });
  engine.newest('analyze').answer(analysis('second'));
  await settled();
  expect(store.answer.value).toEqual({
    pending: false,
    result: { name: 'second' },
    remarks: [],
    diagnostics: [],
  });
});

test('another view asks nothing', async () => {
  const { engine, store } = await started();
  const before = engine.asked.length;
  store.update((state) => ({ ...state, view: 'paths' }));
  expect(engine.asked).toHaveLength(before);
});

test('a wrong option keeps the last figures and says what is wrong', async () => {
  const { engine, store } = await started();
  store.update((state) => ({ ...state, point: { T: -1 } }));
  engine.newest('analyze').answer(refusal('/options/T'));
  await settled();
  expect(store.answer.value).toMatchObject({
    pending: false,
    result: { name: 'first' },
    diagnostics: [{ path: '/options/T' }],
  });
});

test('an answer that a newer question has overtaken is shown, not taken for the last', async () => {
  const { engine, store } = await started();
  store.update((state) => ({ ...state, point: { T: 1 } }));
  const older = engine.newest('analyze');
  store.update((state) => ({ ...state, point: { T: 2 } }));
  older.answer(analysis('older'));
  await settled();
  expect(store.answer.value).toMatchObject({ pending: true, result: { name: 'older' } });
  engine.newest('analyze').answer(analysis('newest'));
  await settled();
  expect(store.answer.value).toMatchObject({ pending: false, result: { name: 'newest' } });
});

test('a superseded question leaves no trace', async () => {
  const { engine, store } = await started();
  store.update((state) => ({ ...state, point: { T: 1 } }));
  const older = engine.newest('analyze');
  store.update((state) => ({ ...state, point: { T: 2 } }));
  older.fail(new Superseded('newer'));
  await settled();
  expect(store.answer.value.pending).toBe(true);
  expect(store.crash.value).toBeUndefined();
});

test('a file that can be answered becomes the model, with one question', async () => {
  const { engine, store } = await started();
  const opened = store.open('config.json', '{"model_type":"qwen3"}');
  expect(engine.newest('open').request).toMatchObject({
    command: 'analyze',
    config: '{"model_type":"qwen3"}',
  });
  engine.newest('open').answer(analysis('Qwen3'));
  await opened;
  expect(store.state.value.model).toEqual({
    kind: 'file',
    name: 'config.json',
    text: '{"model_type":"qwen3"}',
  });
  expect(store.answer.value).toMatchObject({ pending: false, result: { name: 'Qwen3' } });
  expect(engine.asked.filter(({ lane }) => lane === 'analyze')).toHaveLength(1);
});

test('a file that can not leaves the screen as it was and is told of', async () => {
  const { engine, store } = await started();
  const opened = store.open('config.json', '{}');
  engine.newest('open').answer(refusal('/config/model_type', '/options/T'));
  await opened;
  expect(store.state.value).toBe(kInitialState);
  expect(store.answer.value.result).toEqual({ name: 'first' });
  expect(store.rejection.value).toEqual({
    name: 'config.json',
    diagnostics: [
      {
        code: 'wrong',
        path: '/config/model_type',
        message: 'wrong at /config/model_type',
        hint: '',
      },
    ],
  });
  store.update((state) => withModel(state, { kind: 'preset', name: 'gpt2-small' }));
  expect(store.rejection.value).toBeUndefined();
});

test('a file is opened even if an option is wrong, which is a problem of its own', async () => {
  const { engine, store } = await started();
  const opened = store.open('config.json', '{}');
  engine.newest('open').answer(refusal('/options/T'));
  await opened;
  expect(store.state.value.model.name).toBe('config.json');
  expect(store.answer.value.diagnostics).toMatchObject([{ path: '/options/T' }]);
});

test('options changed while a file was being opened are asked with it', async () => {
  const { engine, store } = await started();
  const opened = store.open('config.json', '{}');
  store.update((state) => ({ ...state, point: { T: 7 } }));
  engine.newest('open').answer(analysis('at another point'));
  await settled();
  expect(engine.newest('analyze').request).toMatchObject({ config: '{}', options: { T: 7 } });
  engine.newest('analyze').answer(analysis('at this point'));
  await opened;
  expect(store.answer.value).toMatchObject({ pending: false, result: { name: 'at this point' } });
});

test('a design document goes into the request as it was written', async () => {
  const engine = new ScriptedEngine();
  const requests: string[] = [];
  const store = new Store(
    { run: (lane, request) => (requests.push(request), engine.run(lane, request)) },
    kInitialState,
  );
  void store.open('x.tensorcad.json', '{"version": 1.0, "version": 1, "graph": {}}');
  expect(requests[0]).toContain('"design":{"version": 1.0, "version": 1, "graph": {}}}');
});

test('a crash is told, keeps the figures, and is got over', async () => {
  const { engine, store } = await started();
  store.update((state) => ({ ...state, point: { T: 1 } }));
  engine.newest('analyze').fail(new EngineCrash('memory access out of bounds'));
  await settled();
  expect(store.crash.value).toBe('memory access out of bounds');
  expect(store.answer.value).toMatchObject({ pending: false, result: { name: 'first' } });
  store.retry();
  expect(store.crash.value).toBeUndefined();
  engine.newest('analyze').answer(analysis('again'));
  await settled();
  expect(store.answer.value.result).toEqual({ name: 'again' });
});
