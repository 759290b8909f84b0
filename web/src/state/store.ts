import { signal, type ReadonlySignal } from '@preact/signals';
import { EngineCrash, Superseded, type Engine } from '../engine/client';
import type { AnalyzeResult, Diagnostic, ListResult, Response } from 'roofbeam';
import { analyzeRequest, listRequest } from '../engine/requests';
import { optionAt } from './options';
import { withModel, type AppState, type Model } from './state';

type Success = Extract<Response, { ok: true }>;

// What the engine says to the state. The last good result stays while a newer question is open or has
// failed: figures dim, they never vanish.
export interface Answer {
  readonly result: AnalyzeResult | undefined;
  readonly remarks: readonly string[]; // what an imported config says that its design does not
  readonly pending: boolean;
  readonly diagnostics: readonly Diagnostic[]; // why there is no result to the newest question
}

const kNoAnswer: Answer = { result: undefined, remarks: [], pending: false, diagnostics: [] };

function answered(response: Success): Pick<Answer, 'result' | 'remarks'> {
  return { result: response.result as AnalyzeResult, remarks: response.notes };
}

// A document that was given but not opened; the model before it is still the one on screen.
export interface Rejection {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function isOptionProblem(diagnostic: Diagnostic): boolean {
  return optionAt(diagnostic.path) !== undefined;
}

export class Store {
  readonly #state;
  readonly #answer = signal<Answer>(kNoAnswer);
  readonly #list = signal<ListResult | undefined>(undefined);
  readonly #rejection = signal<Rejection | undefined>(undefined);
  readonly #crash = signal<string | undefined>(undefined);
  readonly #attempt = signal(0);
  #asked = 0;

  constructor(
    private readonly engine: Engine,
    initial: AppState,
  ) {
    this.#state = signal(initial);
  }

  get state(): ReadonlySignal<AppState> {
    return this.#state;
  }
  get answer(): ReadonlySignal<Answer> {
    return this.#answer;
  }
  get list(): ReadonlySignal<ListResult | undefined> {
    return this.#list;
  }
  get rejection(): ReadonlySignal<Rejection | undefined> {
    return this.#rejection;
  }
  get crash(): ReadonlySignal<string | undefined> {
    return this.#crash;
  }

  // Counts the retries after a crash: what was asked before one has to be asked again.
  get attempt(): ReadonlySignal<number> {
    return this.#attempt;
  }

  // The first questions of a page.
  async start(): Promise<void> {
    await Promise.all([this.#ask(), this.#askList()]);
  }

  update(change: (state: AppState) => AppState): void {
    const before = this.#state.value;
    const after = change(before);
    this.#state.value = after;
    if (after.model !== before.model) this.#rejection.value = undefined;
    if (after.model !== before.model || after.point !== before.point) void this.#ask();
  }

  // Opens a document if the engine can answer it; otherwise says why and leaves the screen as it was.
  async open(name: string, text: string): Promise<void> {
    const model: Model = { kind: 'file', name, text };
    const { point } = this.#state.value;
    const response = await this.run('open', analyzeRequest(model, point));
    if (!response) return;
    if (!response.ok && !response.diagnostics.every(isOptionProblem)) {
      this.reject({
        name,
        diagnostics: response.diagnostics.filter((diagnostic) => !isOptionProblem(diagnostic)),
      });
      return;
    }
    this.#rejection.value = undefined;
    this.#state.value = withModel(this.#state.value, model);
    if (this.#state.value.point !== point) {
      await this.#ask();
      return;
    }
    this.#asked += 1;
    this.#settle(response);
  }

  reject(rejection: Rejection): void {
    this.#rejection.value = rejection;
  }

  dismissRejection(): void {
    this.#rejection.value = undefined;
  }

  retry(): void {
    this.#crash.value = undefined;
    this.#attempt.value += 1;
    void this.start();
  }

  // One question of a view. Undefined when there will be no answer: a newer question of the lane took its
  // place, or the instance died, which the page then tells.
  async run(lane: string, request: string): Promise<Response | undefined> {
    try {
      return await this.engine.run(lane, request);
    } catch (error) {
      if (error instanceof Superseded) return undefined;
      if (!(error instanceof EngineCrash)) throw error;
      this.#crash.value = error.message;
      return undefined;
    }
  }

  async #ask(): Promise<void> {
    const { model, point } = this.#state.value;
    this.#asked += 1;
    const number = this.#asked;
    this.#answer.value = { ...this.#answer.value, pending: true };
    const response = await this.run('analyze', analyzeRequest(model, point));
    if (!response) {
      if (number === this.#asked) this.#answer.value = { ...this.#answer.value, pending: false };
      return;
    }
    if (number === this.#asked) {
      this.#settle(response);
    } else if (response.ok) {
      // A newer question is open: this answer is fresher than what is on screen, and still not the last.
      this.#answer.value = { ...this.#answer.value, ...answered(response) };
    }
  }

  async #askList(): Promise<void> {
    const response = await this.run('list', listRequest());
    if (response?.ok) this.#list.value = response.result as ListResult;
  }

  #settle(response: Response): void {
    this.#answer.value = response.ok
      ? { ...answered(response), pending: false, diagnostics: [] }
      : { ...this.#answer.value, pending: false, diagnostics: response.diagnostics };
  }
}
