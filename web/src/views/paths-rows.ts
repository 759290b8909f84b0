// The rows of the by-path table: the three figures of each path side by side, in the design's order,
// then filtered, sorted and grouped for display. No figure is made here.

import type { AnalyzeResult } from 'roofbeam';
import type { PathColumn, PathTable } from '../state/state';

type Figure = number | null; // null where the engine has no finite number

export interface PathRow {
  readonly path: string;
  readonly params: Figure | undefined; // undefined: the path has none
  readonly flops: Figure | undefined;
  readonly activations: Figure | undefined;
}

export interface PathGroup {
  readonly path: string; // the block that holds the rows; empty for the model itself
  readonly rows: readonly PathRow[];
}

// Each of the three tables lists its own paths in the design's order. A path that an earlier table
// lacks goes behind its predecessor in its own table if that is its sibling, else before its first
// sibling: what enters a block stands before what the block holds.
export function pathRows(result: AnalyzeResult): readonly PathRow[] {
  const { params_by_path: params, flops_by_path: flops, activations_by_path: activations } = result;
  const order: string[] = [];
  for (const table of [params, flops, activations]) {
    let previous: string | undefined;
    for (const path of Object.keys(table)) {
      if (!order.includes(path)) order.splice(placeFor(path, previous, order), 0, path);
      previous = path;
    }
  }
  return order.map((path) => ({
    path,
    params: params[path],
    flops: flops[path],
    activations: activations[path],
  }));
}

function placeFor(path: string, previous: string | undefined, order: readonly string[]): number {
  const parent = parentPath(path);
  const isSibling = (other: string) => parentPath(other) === parent;
  const afterPrevious = previous === undefined ? order.length : order.indexOf(previous) + 1;
  if (previous !== undefined && isSibling(previous)) return afterPrevious;
  const lowest = previous === undefined ? 0 : afterPrevious;
  const nextSibling = order.findIndex((other, index) => index >= lowest && isSibling(other));
  return nextSibling >= 0 ? nextSibling : afterPrevious;
}

export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function shownRows(rows: readonly PathRow[], table: PathTable): readonly PathRow[] {
  const words = table.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows.filter(({ path }) =>
    words.every((word) => path.toLowerCase().includes(word)),
  );
  const { sort } = table;
  if (sort === 'document') return matching;
  const sign = table.descending ? -1 : 1;
  return matching.toSorted((a, b) => sign * compare(a, b, sort));
}

function compare(a: PathRow, b: PathRow, column: PathColumn): number {
  if (column === 'path') return a.path.localeCompare(b.path, 'en', { numeric: true });
  return (a[column] ?? -1) - (b[column] ?? -1);
}

// Groups in the order in which their first row comes.
export function grouped(rows: readonly PathRow[]): readonly PathGroup[] {
  const groups = new Map<string, PathRow[]>();
  for (const row of rows) {
    const parent = parentPath(row.path);
    const group = groups.get(parent);
    if (group) group.push(row);
    else groups.set(parent, [row]);
  }
  return [...groups].map(([path, members]) => ({ path, rows: members }));
}
