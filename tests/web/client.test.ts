import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineClient, EngineCrash, Superseded } from '../../web/src/engine/client';
import type { FromWorker, ToWorker } from '../../web/src/engine/protocol';

// A worker whose answers the test gives.
class ScriptedWorker {
  onmessage: ((event: { data: FromWorker }) => void) | undefined;
  onerror: ((event: { message: string; preventDefault: () => void }) => void) | undefined;
  readonly asked: ToWorker[] = [];
  terminated = false;

  postMessage(message: ToWorker): void {
    this.asked.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  answer(result: unknown, at = this.asked.length - 1): void {
    const { id } = this.asked[at]!;
    this.onmessage?.({ data: { id, response: JSON.stringify({ ok: true, result, notes: [] }) } });
  }
  crash(reason: string): void {
    this.onmessage?.({ data: { id: this.asked.at(-1)!.id, crash: reason } });
  }
  fail(message: string): void {
    this.onerror?.({ message, preventDefault: () => undefined });
  }
  get questions(): readonly string[] {
    return this.asked.map(({ request }) => request);
  }
}

let workers: ScriptedWorker[];
let client: EngineClient;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  client = new EngineClient(() => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  }, 1000);
});

afterEach(() => {
  vi.useRealTimers();
});

test('one question at a time; of a lane only the newest waits', async () => {
  const first = client.run('analyze', 'q1');
  const second = client.run('analyze', 'q2');
  const third = client.run('analyze', 'q3');
  expect(workers[0]!.questions).toEqual(['q1']);
  await expect(second).rejects.toBeInstanceOf(Superseded);

  workers[0]!.answer('a1');
  await expect(first).resolves.toMatchObject({ ok: true, result: 'a1' });
  expect(workers[0]!.questions).toEqual(['q1', 'q3']);
  workers[0]!.answer('a3');
  await expect(third).resolves.toMatchObject({ result: 'a3' });
});

test('lanes do not replace one another', async () => {
  const analyze = client.run('analyze', 'q1');
  const list = client.run('list', 'q2');
  const open = client.run('open', 'q3');
  for (const answer of ['a1', 'a2', 'a3']) workers[0]!.answer(answer);
  expect(await Promise.all([analyze, list, open])).toMatchObject([
    { result: 'a1' },
    { result: 'a2' },
    { result: 'a3' },
  ]);
});

test('a crash costs one question and the instance, nothing more', async () => {
  const first = client.run('analyze', 'q1');
  const second = client.run('list', 'q2');
  workers[0]!.crash('unreachable executed');
  await expect(first).rejects.toThrow(EngineCrash);
  await expect(first).rejects.toThrow('unreachable executed');
  expect(workers[0]!.terminated).toBe(true);
  expect(workers[1]!.questions).toEqual(['q2']);
  workers[1]!.answer('a2');
  await expect(second).resolves.toMatchObject({ result: 'a2' });
});

test('a worker that can not be started is a crash too', async () => {
  const answer = client.run('analyze', 'q1');
  workers[0]!.fail('404');
  await expect(answer).rejects.toThrow('404');
});

test('an instance that does not answer is dropped', async () => {
  const answer = client.run('analyze', 'q1');
  const rejected = expect(answer).rejects.toThrow('no answer within 1000 ms');
  vi.advanceTimersByTime(1000);
  await rejected;
  expect(workers[0]!.terminated).toBe(true);
});

test('an answer to a question that is no longer open changes nothing', async () => {
  const first = client.run('analyze', 'q1');
  workers[0]!.answer('a1');
  await first;
  const second = client.run('analyze', 'q2');
  workers[0]!.answer('late', 0);
  workers[0]!.answer('a2', 1);
  await expect(second).resolves.toMatchObject({ result: 'a2' });
});

test('warming up starts one instance, which then serves', () => {
  client.warmUp();
  client.warmUp();
  void client.run('list', 'q1');
  expect(workers).toHaveLength(1);
});
