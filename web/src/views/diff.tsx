import { useRef } from 'preact/hooks';
import { diffRequest } from '../engine/requests';
import type { DiffedMetric, DiffResult } from '../engine/results';
import * as format from '../format/quantity';
import { useStore } from '../state/context';
import { readFile } from '../state/files';
import { useQuestion } from '../state/question';
import type { Model } from '../state/state';
import { text } from '../text/en';
import { Figure, Section } from '../widgets/figure';
import { ProblemList } from '../widgets/problems';
import { changedRows, type ChangeRow } from './diff-rows';

const t = text.diff;

// The model of the page against another, in structure and in figures.
export function Diff() {
  const store = useStore();
  const { compare } = store.state.value;
  return (
    <>
      <OtherModel />
      {compare === undefined ? <p class="quiet">{t.none}</p> : <Comparison compare={compare} />}
    </>
  );
}

function OtherModel() {
  const store = useStore();
  const file = useRef<HTMLInputElement>(null);
  const { compare } = store.state.value;
  const choose = (model: Model | undefined) =>
    store.update((state) => ({ ...state, compare: model }));
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = await readFile(chosen);
    if (read.ok) choose({ kind: 'file', name: read.name, text: read.text });
    else store.reject(read);
  };
  return (
    <div class="diff-tools">
      <label class="field">
        <span>{t.against}</span>
        <select
          value={compare?.kind === 'preset' ? compare.name : ''}
          onChange={(event) => {
            const name = event.currentTarget.value;
            choose(name === '' ? undefined : { kind: 'preset', name });
          }}
        >
          <option value="">{compare?.kind === 'file' ? compare.name : t.choose}</option>
          {(store.list.value?.presets ?? []).map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <input
        ref={file}
        class="visually-hidden"
        type="file"
        accept=".json,application/json"
        aria-label={t.openFile}
        tabIndex={-1}
        onChange={(event) => {
          void open(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <button type="button" class="button" onClick={() => file.current?.click()}>
        {t.openFile}
      </button>
    </div>
  );
}

function Comparison({ compare }: { readonly compare: Model }) {
  const store = useStore();
  const { model, point } = store.state.value;
  const { result, pending, diagnostics } = useQuestion<DiffResult>(
    'diff',
    diffRequest(model, compare, point),
  );
  return (
    <>
      {diagnostics.length > 0 && <ProblemList diagnostics={diagnostics} />}
      {!result && pending && <p class="quiet">{text.answer.waiting}</p>}
      {result && (
        <div class={pending || diagnostics.length > 0 ? 'figures stale' : 'figures'}>
          <Differences result={result} />
        </div>
      )}
    </>
  );
}

function Differences({ result }: { readonly result: DiffResult }) {
  const { a, b, at, identical } = result;
  const rows = changedRows(result);
  return (
    <div class="diff">
      <Section id="diff-figures" title={t.figures}>
        <div class="scroll-x" tabIndex={0} role="group" aria-label={t.figures}>
          <table class="diff-figures">
            <thead>
              <tr>
                <td class="quiet">{t.at(at.T, at.B, at.hardware)}</td>
                <th scope="col">{a}</th>
                <th scope="col">{b}</th>
                <th scope="col">{t.change}</th>
                <th scope="col">{t.ratio}</th>
              </tr>
            </thead>
            <tbody>
              {result.metrics.map((metric) => (
                <MetricLine key={metric.id} metric={metric} />
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      {identical ? (
        <p>{t.identical}</p>
      ) : (
        <>
          <ChangeTable id="diff-symbols" title={t.symbols} a={a} b={b} rows={rows.symbols} />
          <ChangeTable
            id="diff-definitions"
            title={t.definitions}
            a={a}
            b={b}
            rows={rows.definitions}
          />
          <ChangeTable id="diff-blocks" title={t.blocks} a={a} b={b} rows={rows.blocks} />
          <ChangeTable id="diff-wires" title={t.wires} a={a} b={b} rows={rows.wires} />
        </>
      )}
    </div>
  );
}

const kFormats = {
  count: (value: number | null) => format.count(value),
  flops: format.flops,
  bytes: format.bytes,
} as const;

function MetricLine({ metric }: { readonly metric: DiffedMetric }) {
  const figure = kFormats[metric.unit];
  const same = metric.delta === 0;
  return (
    <tr>
      <th scope="row">{metric.label}</th>
      <td>
        <Figure quantity={figure(metric.a)} />
      </td>
      <td>
        <Figure quantity={figure(metric.b)} />
      </td>
      <td>{!same && <Figure quantity={format.signed(figure(metric.delta))} />}</td>
      <td>{!same && <Figure quantity={format.times(metric.ratio)} />}</td>
    </tr>
  );
}

interface ChangeTableProps {
  readonly id: string;
  readonly title: string;
  readonly a: string;
  readonly b: string;
  readonly rows: readonly ChangeRow[];
}

// What stands on each side; a dash where a side has nothing.
function ChangeTable({ id, title, a, b, rows }: ChangeTableProps) {
  if (rows.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <div class="scroll-x" tabIndex={0} role="group" aria-label={title}>
        <table class="diff-changes">
          <thead>
            <tr>
              <th scope="col">{t.what}</th>
              <th scope="col">{a}</th>
              <th scope="col">{b}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, what, a: left, b: right }) => (
              <tr key={key}>
                <th scope="row" class="pointer">
                  {what}
                </th>
                <td class={left === undefined ? 'quiet' : 'pointer diff-left'}>
                  {left ?? t.absent}
                </td>
                <td class={right === undefined ? 'quiet' : 'pointer diff-right'}>
                  {right ?? t.absent}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
