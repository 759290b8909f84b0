import type { Response } from 'roofbeam';
import type { FromWorker, ToWorker } from './protocol';

// The question was replaced by a newer one of the same lane before the engine came to it.
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

// The engine's instance died over this question; the next one starts a new instance.
export class EngineCrash extends Error {
  override readonly name = 'EngineCrash';
}

export interface Engine {
  // `request` is the request's JSON text; `lane` names what the answer is for: a newer question of a lane replaces the one still waiting in it.
  run(lane: string, request: string): Promise<Response>;
}

interface Job {
  readonly id: number;
  readonly lane: string;
  readonly request: string;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

// No answer takes a tenth of this on a slow phone; past it the instance is taken for hung.
const kDefaultPatience_ms = 20_000;

// Runs requests off the main thread, one at a time, in the order the lanes first asked. Only the newest
// of a lane waits: the page asks again on every keystroke.
export class EngineClient implements Engine {
  #worker: Worker | undefined;
  #running: Job | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #waiting = new Map<string, Job>();
  #asked = 0;

  constructor(
    private readonly startWorker: () => Worker,
    private readonly patience_ms = kDefaultPatience_ms,
  ) {}

  // Starts the instance before the first question, so that it loads while the page does.
  warmUp(): void {
    this.#worker ??= this.#start();
  }

  run(lane: string, request: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#waiting.get(lane)?.reject(new Superseded(`a newer request for ${lane}`));
      this.#asked += 1;
      this.#waiting.set(lane, { id: this.#asked, lane, request, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running) return;
    const [job] = this.#waiting.values();
    if (!job) return;
    this.#waiting.delete(job.lane);
    this.#running = job;
    this.#worker ??= this.#start();
    this.#timer = setTimeout(
      () => this.#drop(`no answer within ${this.patience_ms} ms`),
      this.patience_ms,
    );
    const message: ToWorker = { id: job.id, request: job.request };
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = this.startWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.id !== this.#running?.id) return;
      if ('crash' in data) this.#drop(data.crash);
      else this.#finish((job) => job.resolve(JSON.parse(data.response) as Response));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#drop(event.message || 'the worker could not be started');
    };
    return worker;
  }

  // Drops the instance, never the page: the running question fails, the waiting ones get a new instance.
  #drop(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#finish((job) => job.reject(new EngineCrash(reason)));
  }

  #finish(settle: (job: Job) => void): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = undefined;
    if (job) settle(job);
    this.#next();
  }
}
