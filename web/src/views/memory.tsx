import { StackedBar, type BarPart } from '../charts/stacked-bar';
import type { AnalyzeResult } from 'roofbeam';
import * as format from '../format/quantity';
import { text } from '../text/en';
import { Figure, Section } from '../widgets/figure';

const t = text.overview;

interface Part {
  readonly id: string;
  readonly label: string;
  readonly tone: BarPart['tone'];
  readonly value: number | null;
}

function bar(
  parts: readonly Part[],
  hatched: Readonly<Record<string, number | null>> = {},
): readonly BarPart[] {
  return parts.map(({ id, label, tone, value }) => ({
    id,
    tone,
    value: value ?? 0,
    title: `${label}: ${format.text(format.bytes(value))}`,
    hatched: hatched[id] ?? 0,
  }));
}

function Swatch({ tone, hatched }: { readonly tone: BarPart['tone']; readonly hatched?: boolean }) {
  return (
    <span
      class={hatched ? `swatch tone-${tone} swatch-hatched` : `swatch tone-${tone}`}
      aria-hidden="true"
    />
  );
}

export function TrainingMemory({ result }: { readonly result: AnalyzeResult }) {
  const { per_gpu: perGpu, ...whole } = result.memory.train;
  const parts = [
    { id: 'weights', label: t.weights, tone: 1, value: perGpu.weights, whole: whole.weights },
    { id: 'grads', label: t.gradients, tone: 2, value: perGpu.grads, whole: whole.grads },
    {
      id: 'optimizer',
      label: t.optimizer,
      tone: 3,
      value: perGpu.optimizer,
      whole: whole.optimizer,
    },
    {
      id: 'activations',
      label: t.activations,
      tone: 4,
      value: perGpu.activations,
      whole: whole.activations,
    },
  ] as const;
  // The engine gives the logits of all shards; they are drawn into the bar of one GPU where that is the same.
  const logits = perGpu.activations === whole.activations ? whole.logits : 0;
  const total = format.bytes(perGpu.total);
  const capacity = format.bytes(result.hardware.memory_bytes);
  const exceeds = (perGpu.total ?? 0) > result.hardware.memory_bytes;
  return (
    <Section id="training-memory" title={t.trainingMemory}>
      <StackedBar
        parts={bar(parts, { activations: logits })}
        capacity={result.hardware.memory_bytes}
        label={`${t.trainingMemory}, ${t.perGpu}: ${format.text(total)}; ${t.capacityOf(result.hardware.name)} ${format.text(capacity)}`}
      />
      <table class="memory">
        <thead>
          <tr>
            <td />
            <th scope="col">{t.perGpu}</th>
            <th scope="col">{t.wholeModel}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ id, label, tone, value, whole: all }) => (
            <tr key={id}>
              <th scope="row">
                <Swatch tone={tone} />
                {label}
              </th>
              <td>
                <Figure quantity={format.bytes(value)} />
              </td>
              <td>
                <Figure quantity={format.bytes(all)} />
              </td>
            </tr>
          ))}
          <tr class="memory-part">
            <th scope="row">
              <Swatch tone={4} hatched />
              {t.logits}
            </th>
            <td />
            <td>
              <Figure quantity={format.bytes(whole.logits)} />
            </td>
          </tr>
          {whole.cast_weights !== 0 && (
            <tr class="memory-part">
              <th scope="row">{t.castWeights}</th>
              <td />
              <td>
                <Figure quantity={format.bytes(whole.cast_weights)} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.totalRow}</th>
            <td>
              <Figure quantity={total} />
            </td>
            <td>
              <Figure quantity={format.bytes(whole.total)} />
            </td>
          </tr>
          <tr class={exceeds ? 'memory-exceeded' : ''}>
            <th scope="row">{t.capacityOf(result.hardware.name)}</th>
            <td>
              <Figure quantity={capacity} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </Section>
  );
}

export function ServingMemory({ result }: { readonly result: AnalyzeResult }) {
  const { infer } = result.memory;
  const parts = [
    { id: 'weights', label: t.weights, tone: 1, value: infer.weights },
    { id: 'kv', label: t.kvCache, tone: 4, value: infer.kv },
    { id: 'overhead', label: t.overhead, tone: 5, value: infer.overhead },
  ] as const;
  const total = format.bytes(infer.total);
  const capacity = format.bytes(result.hardware.memory_bytes);
  const exceeds = (infer.total ?? 0) > result.hardware.memory_bytes;
  return (
    <Section id="serving-memory" title={t.servingMemory}>
      <StackedBar
        parts={bar(parts)}
        capacity={result.hardware.memory_bytes}
        label={`${t.servingMemory}: ${format.text(total)}; ${t.capacityOf(result.hardware.name)} ${format.text(capacity)}`}
      />
      <table class="memory">
        <tbody>
          {parts.map(({ id, label, tone, value }) => (
            <tr key={id}>
              <th scope="row">
                <Swatch tone={tone} />
                {label}
              </th>
              <td>
                <Figure quantity={format.bytes(value)} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.totalRow}</th>
            <td>
              <Figure quantity={total} />
            </td>
          </tr>
          <tr class={exceeds ? 'memory-exceeded' : ''}>
            <th scope="row">{t.capacityOf(result.hardware.name)}</th>
            <td>
              <Figure quantity={capacity} />
            </td>
          </tr>
        </tfoot>
      </table>
    </Section>
  );
}
