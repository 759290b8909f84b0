// The structural differences as lines with two sides; undefined where a side has nothing.

import type { DiffResult } from '../engine/results';
import { text } from '../text/en';
import { asWritten } from '../widgets/written';

export interface ChangeRow {
  readonly key: string;
  readonly what: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

export interface ChangedRows {
  readonly symbols: readonly ChangeRow[];
  readonly definitions: readonly ChangeRow[];
  readonly blocks: readonly ChangeRow[];
  readonly wires: readonly ChangeRow[];
}

export function changedRows({ symbols, definitions, blocks, edges }: DiffResult): ChangedRows {
  return {
    symbols: [
      ...symbols.changed.map(({ name, from, to, from_value, to_value }) =>
        row(name, symbol(from, from_value), symbol(to, to_value)),
      ),
      ...symbols.removed.map(({ name, written, value }) =>
        row(name, symbol(written, value), undefined),
      ),
      ...symbols.added.map(({ name, written, value }) =>
        row(name, undefined, symbol(written, value)),
      ),
    ],
    definitions: [
      ...definitions.changed.map((type) =>
        row(type, text.diff.defined, text.diff.definedOtherwise),
      ),
      ...definitions.removed.map((type) => row(type, text.diff.defined, undefined)),
      ...definitions.added.map((type) => row(type, undefined, text.diff.defined)),
    ],
    blocks: [
      ...blocks.changed.flatMap(({ path, type, label, params }) => [
        ...(type ? [row(path, type.from ?? undefined, type.to ?? undefined)] : []),
        ...(label ? [row(`${path} label`, label.from ?? undefined, label.to ?? undefined)] : []),
        ...params.map(({ name, from, to }) =>
          row(`${path} ${name}`, parameter(from), parameter(to)),
        ),
      ]),
      ...blocks.removed.map(({ path, type }) => row(path, type, undefined)),
      ...blocks.added.map(({ path, type }) => row(path, undefined, type)),
    ],
    wires: [
      ...edges.removed.map((wire) => row(wire.graph, `${wire.from} → ${wire.to}`, undefined)),
      ...edges.added.map((wire) => row(wire.graph, undefined, `${wire.from} → ${wire.to}`)),
    ],
  };
}

function row(what: string, a: string | undefined, b: string | undefined): ChangeRow {
  return { key: `${what} ${a ?? ''} ${b ?? ''}`, what, a, b };
}

// An expression with what it comes to.
function symbol(written: unknown, value: number | null): string {
  return typeof written === 'string' && value !== null
    ? `${written} = ${asWritten(value)}`
    : asWritten(written);
}

// A parameter that a side does not give is null there.
function parameter(value: unknown): string | undefined {
  return value === null ? undefined : asWritten(value);
}
