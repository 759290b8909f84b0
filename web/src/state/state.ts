// Everything a screen shows follows from this one value and the engine's answers to it. It never
// changes in place, and it fits in a link (url.ts).

import type { OperatingPoint } from './options';

export const kViews = ['overview', 'paths', 'structure', 'diff'] as const;
export type View = (typeof kViews)[number];

export type Model =
  | { readonly kind: 'preset'; readonly name: string }
  // A config.json or a design document, as it was given, byte for byte.
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

export const kPathColumns = ['path', 'params', 'flops', 'activations'] as const;
export type PathColumn = (typeof kPathColumns)[number];

export interface PathTable {
  readonly sort: PathColumn | 'document'; // the order of the design, or by a column
  readonly descending: boolean;
  readonly filter: string;
  readonly grouped: boolean;
}

export interface AppState {
  readonly model: Model;
  readonly point: OperatingPoint;
  readonly view: View;
  readonly paths: PathTable;
  readonly block?: string | undefined; // the one that the structure view explains
  readonly compare?: Model | undefined; // the other side of the diff
}

export const kInitialState: AppState = {
  model: { kind: 'preset', name: 'llama-3-8b' },
  point: {},
  view: 'overview',
  paths: { sort: 'document', descending: false, filter: '', grouped: true },
};

// A new model keeps the point (the question) and drops what names blocks of the old one.
export function withModel(state: AppState, model: Model): AppState {
  return { ...state, model, block: undefined, paths: { ...state.paths, filter: '' } };
}

// Pressing a column's header: largest first for figures, A to Z for paths; again reverses; a third
// time goes back to the design's own order.
export function sortedBy(table: PathTable, column: PathColumn): PathTable {
  const first = column !== 'path';
  if (table.sort !== column) return { ...table, sort: column, descending: first };
  if (table.descending === first) return { ...table, descending: !first };
  return { ...table, sort: 'document', descending: false };
}
