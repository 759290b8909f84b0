// @vitest-environment happy-dom
import {
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic, Response } from 'roofbeam';
import { EngineCrash, type Engine } from '../../web/src/engine/client';
import { StoreProvider } from '../../web/src/state/context';
import { kInitialState } from '../../web/src/state/state';
import { Store } from '../../web/src/state/store';
import { App } from '../../web/src/views/app';
import diff from './recorded/diff.json';
import explain from './recorded/explain.json';
import gpt2 from './recorded/gpt2-small.json';
import list from './recorded/list.json';
import llama from './recorded/llama-3-8b.json';
import show from './recorded/show.json';

// Hidden elements count too: to find out which are hidden takes most of a test's time, and none is here.
configure({ defaultHidden: true, asyncUtilTimeout: 10_000 });

interface Request {
  readonly command: string;
  readonly preset?: string;
  readonly config?: string;
  readonly path?: string;
  readonly a?: unknown;
  readonly b?: unknown;
  readonly options?: Record<string, unknown>;
}

const kRecorded: Readonly<Record<string, unknown>> = { list, show, explain, diff };

// Answers with what the engine once answered; `wrong` names what it refuses.
class RecordedEngine implements Engine {
  readonly requests: Request[] = [];
  analysis: unknown = llama;
  wrong: readonly Diagnostic[] = [];
  dies = false;

  async run(_lane: string, text: string): Promise<Response> {
    const request = JSON.parse(text) as Request;
    this.requests.push(request);
    if (this.dies) throw new EngineCrash('unreachable executed');
    const [first, ...others] = this.wrong;
    if (first && request.command !== 'list') return { ok: false, diagnostics: [first, ...others] };
    const answer = request.command === 'analyze' ? this.analysis : kRecorded[request.command];
    return answer as Response;
  }
}

let engine: RecordedEngine;
let store: Store;

beforeEach(async () => {
  engine = new RecordedEngine();
  store = new Store(engine, kInitialState);
  await store.start();
  render(
    <StoreProvider value={store}>
      <App />
    </StoreProvider>,
  );
});

afterEach(cleanup);

function figure(region: HTMLElement, label: string): HTMLElement {
  const term = within(region).getByText(label);
  return term.parentElement!.querySelector('data')!;
}

describe('overview', () => {
  test('answers in words first, as the engine says it', () => {
    const verdict = screen.getByRole('region', { name: 'Verdict' });
    expect(verdict.textContent).toContain(llama.result.verdict.training);
    expect(verdict.textContent).toContain(llama.result.verdict.serving);
  });

  test('shows figures with three digits and the exact value behind them', () => {
    const total = figure(screen.getByRole('region', { name: 'Parameters' }), 'Total');
    expect(total.textContent).toBe('8.03 B');
    expect(total.title).toBe('8,030,261,248 parameters');
    expect(total.getAttribute('value')).toBe('8030261248');
    expect(
      figure(screen.getByRole('region', { name: 'Compute per token' }), 'Training').textContent,
    ).toBe('51.5 GFLOP');
    expect(figure(screen.getByRole('region', { name: 'Cache' }), 'Per token').textContent).toBe(
      '128 KiB',
    );
    expect(figure(screen.getByRole('region', { name: 'Speed' }), 'Prefill').textContent).toBe(
      '355 ms',
    );
    expect(figure(screen.getByRole('region', { name: 'Training cost' }), 'Price').textContent).toBe(
      '$13.6 K',
    );
  });

  test('the memory bar says its total and the capacity in words', () => {
    const region = screen.getByRole('region', { name: 'Training memory' });
    expect(within(region).getByRole('img').getAttribute('aria-label')).toBe(
      'Training memory, Per GPU: 169 GiB; H100 SXM (80 GB) holds 80 GiB',
    );
    const optimizer = within(region).getByRole('rowheader', {
      name: 'Optimizer state',
    }).parentElement!;
    expect(optimizer.textContent).toContain('89.7 GiB');
  });

  test('findings carry their severity in words', () => {
    const [finding] = llama.result.findings;
    const findings = screen.getByRole('region', { name: 'Findings' });
    expect(within(findings).getByText(finding!.message).textContent).toContain(finding!.hint);
    expect(within(findings).getByText('Warning')).toBeTruthy();
  });

  test('a finding about a block leads to it', async () => {
    engine.analysis = gpt2;
    fireEvent.click(screen.getByRole('button', { name: /^gpt2-small/ }));
    const findings = screen.getByRole('region', { name: 'Findings' });
    fireEvent.click((await within(findings).findAllByRole('button', { name: 'head' }))[0]!);
    expect(store.state.value).toMatchObject({ view: 'structure', block: 'head' });
    expect(await screen.findByRole('complementary', { name: 'Explanation' })).toBeTruthy();
    await waitFor(() =>
      expect(engine.requests).toContainEqual(
        expect.objectContaining({ command: 'explain', path: 'head', preset: 'gpt2-small' }),
      ),
    );
  });
});

describe('operating point', () => {
  test('an untouched control shows what the engine resolved', () => {
    expect((screen.getByLabelText('Sequence length T, in tokens') as HTMLInputElement).value).toBe(
      '8192',
    );
    expect((screen.getByLabelText('Device') as HTMLSelectElement).value).toBe('h100-sxm');
  });

  test('typing asks the engine; clearing goes back to the default', async () => {
    const field = screen.getByLabelText('Sequence length T, in tokens');
    fireEvent.focus(field);
    fireEvent.input(field, { target: { value: '4,096' } });
    expect(engine.requests.at(-1)?.options).toEqual({ T: 4096 });
    fireEvent.input(field, { target: { value: '' } });
    expect(engine.requests.at(-1)?.options).toEqual({});
  });

  test('choices are sent with their type', () => {
    fireEvent.change(screen.getByLabelText('ZeRO stage'), { target: { value: '3' } });
    fireEvent.change(screen.getByLabelText('Fused attention kernel, which keeps no score matrix'), {
      target: { value: 'false' },
    });
    expect(engine.requests.at(-1)?.options).toEqual({ parallel: { zero: 3 }, flash: false });
  });

  test('a wrong option is told at its control, and the figures stay', async () => {
    engine.wrong = [
      {
        code: 'options.range',
        path: '/options/T',
        message: '-5 was found; at least 1 is wanted',
        hint: 'give tokens',
      },
    ];
    const field = screen.getByLabelText('Sequence length T, in tokens');
    fireEvent.input(field, { target: { value: '-5' } });
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    const problem = document.getElementById(field.getAttribute('aria-describedby')!);
    expect(problem?.textContent).toBe('-5 was found; at least 1 is wanted; give tokens');
    expect(
      screen.getByText('These figures are for the last settings that could be answered.'),
    ).toBeTruthy();
    expect(figure(screen.getByRole('region', { name: 'Parameters' }), 'Total').textContent).toBe(
      '8.03 B',
    );
    expect(screen.queryByText(/was not opened/)).toBeNull();
  });

  test('a wrong option under More opens it', async () => {
    engine.wrong = [
      { code: 'options.range', path: '/options/mfu', message: 'too large', hint: '' },
    ];
    const more = screen.getByText('More', { selector: 'summary' })
      .parentElement as HTMLDetailsElement;
    expect(more.open).toBe(false);
    fireEvent.input(screen.getByLabelText('Model FLOPs utilisation, 0 to 1'), {
      target: { value: '9' },
    });
    await waitFor(() => expect(more.open).toBe(true));
  });
});

describe('model panel', () => {
  test('lists every preset and finds by words', () => {
    const presets = screen.getByRole('list', { name: 'Presets' });
    expect(within(presets).getAllByRole('button')).toHaveLength(list.result.presets.length);
    fireEvent.input(screen.getByLabelText('Search models'), { target: { value: 'llama 70b' } });
    expect(
      within(presets)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual([expect.stringContaining('llama-3-70b')]);
    fireEvent.input(screen.getByLabelText('Search models'), { target: { value: 'nothing' } });
    expect(screen.getByText('No preset matches “nothing”.')).toBeTruthy();
  });

  test('a preset becomes the model', () => {
    fireEvent.click(screen.getByRole('button', { name: /^gpt2-small/ }));
    expect(engine.requests.at(-1)).toMatchObject({ command: 'analyze', preset: 'gpt2-small' });
    expect(screen.getByRole('button', { name: /^gpt2-small/ }).getAttribute('aria-current')).toBe(
      'true',
    );
  });

  test('every problem of a config is told at once, with its pointer; markup in it stays text', async () => {
    engine.wrong = [
      {
        code: 'import.missing',
        path: '/config/hidden_size',
        message: 'hidden_size is missing',
        hint: 'a whole number',
      },
      {
        code: 'import.unknown',
        path: '/config',
        message: 'model type "<script>alert(1)</script>" is unknown',
        hint: '',
      },
    ];
    fireEvent.input(screen.getByLabelText('config.json or design document'), {
      target: { value: '{"model_type":"x"}' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Analyse' }));
    const alert = screen.getByRole('alert');
    await waitFor(() =>
      expect(alert.textContent).toContain('pasted text was not opened: 2 problems'),
    );
    expect(within(alert).getByText('/hidden_size')).toBeTruthy();
    expect(within(alert).getByText('document')).toBeTruthy();
    expect(alert.textContent).toContain('<script>alert(1)</script>');
    expect(document.querySelector('script')).toBeNull();
    expect(figure(screen.getByRole('region', { name: 'Parameters' }), 'Total').textContent).toBe(
      '8.03 B',
    );
    fireEvent.click(within(alert).getByRole('button', { name: 'Dismiss' }));
    expect(alert.textContent).toBe('');
  });
});

describe('by path', () => {
  beforeEach(() => fireEvent.click(screen.getByRole('tab', { name: 'By path' })));

  test('a column head tells how the table is sorted', () => {
    const head = screen.getByRole('columnheader', { name: /Parameters/ });
    expect(head.getAttribute('aria-sort')).toBe('none');
    fireEvent.click(within(head).getByRole('button'));
    expect(head.getAttribute('aria-sort')).toBe('descending');
  });

  test('tells how many paths are shown', () => {
    fireEvent.input(screen.getByLabelText('Filter paths'), { target: { value: 'mlp' } });
    expect(screen.getByText(/^\d of 24 paths$/)).toBeTruthy();
    fireEvent.input(screen.getByLabelText('Filter paths'), { target: { value: 'nowhere' } });
    expect(screen.getByText('No path matches.')).toBeTruthy();
  });

  test('tabs move with the arrow keys', () => {
    const shown = () => screen.getByRole('tab', { selected: true }).textContent;
    for (const [key, view] of [
      ['ArrowLeft', 'Overview'],
      ['ArrowLeft', 'Diff'],
      ['ArrowRight', 'Overview'],
      ['End', 'Diff'],
      ['Home', 'Overview'],
    ]) {
      fireEvent.keyDown(screen.getByRole('tablist'), { key });
      expect(shown()).toBe(view);
    }
  });
});

test('a crash of the engine is told, and can be got over', async () => {
  engine.dies = true;
  fireEvent.input(screen.getByLabelText('Sequence length T, in tokens'), {
    target: { value: '16' },
  });
  await waitFor(() => expect(screen.getByText('unreachable executed')).toBeTruthy());
  engine.dies = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('unreachable executed')).toBeNull());
  expect(store.answer.value.result?.name).toBe(llama.result.name);
});

describe('structure', () => {
  beforeEach(async () => {
    fireEvent.click(screen.getByRole('tab', { name: 'Structure' }));
    await screen.findByRole('table');
  });

  const names = () =>
    screen.getAllByRole('rowheader').map((header) => header.querySelector('.pointer')?.textContent);

  test('shows the blocks of the design with their shapes, down to what a layer is made of', () => {
    expect(names()).toEqual(expect.arrayContaining(['embed', 'layers', 'block', 'attn', 'head']));
    const layers = screen.getByRole('button', { name: 'layers' }).closest('tr')!;
    expect(layers.textContent).toContain('× 32');
    expect(layers.textContent).toContain('B T D');
  });

  test('a block opens and closes', () => {
    const fold = screen.getByRole('button', { name: 'What layers is made of' });
    expect(fold.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(fold);
    expect(names()).not.toContain('attn');
    fireEvent.click(screen.getByRole('button', { name: 'What layers is made of' }));
    expect(names()).toContain('attn');
  });

  test('a chosen block is explained at the operating point', async () => {
    fireEvent.input(screen.getByLabelText('Sequence length T, in tokens'), {
      target: { value: '64' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'attn' }));
    const explanation = await screen.findByRole('complementary', { name: 'Explanation' });
    expect(engine.requests.at(-1)).toMatchObject({
      command: 'explain',
      path: 'layers/block/attn',
      options: { T: 64 },
    });
    await waitFor(() => expect(explanation.textContent).toContain(explain.result.docs.summary));
    expect(within(explanation).getAllByTitle('1,342,177,280 parameters').length).toBeGreaterThan(0);
    fireEvent.click(within(explanation).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('complementary', { name: 'Explanation' })).toBeNull();
  });
});

describe('diff', () => {
  beforeEach(() => fireEvent.click(screen.getByRole('tab', { name: 'Diff' })));

  test('asks nothing before there is something to compare with', () => {
    expect(engine.requests.some(({ command }) => command === 'diff')).toBe(false);
    expect(screen.getByText(/Choose a second design/)).toBeTruthy();
  });

  test('shows figures and structure side by side', async () => {
    fireEvent.change(screen.getByLabelText('Compare with'), { target: { value: 'qwen3-8b' } });
    const figures = await screen.findByRole('region', { name: 'Figures' });
    expect(engine.requests.at(-1)).toMatchObject({
      command: 'diff',
      a: { preset: 'llama-3-8b' },
      b: { preset: 'qwen3-8b' },
    });
    const parameters = within(figures).getAllByRole('rowheader', { name: 'parameters' })[0]!;
    expect(
      [...parameters.parentElement!.querySelectorAll('data')].map((data) => data.title),
    ).toEqual([
      '8,030,261,248',
      '8,190,735,360',
      '+160,474,112',
      expect.stringMatching(/^1\.0199/),
    ]);
    const symbols = screen.getByRole('region', { name: 'Symbols' });
    expect(within(symbols).getByRole('rowheader', { name: 'L' }).parentElement!.textContent).toBe(
      'L3236',
    );
  });
});
