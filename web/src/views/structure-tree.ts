// The block tree as the rows that are on screen.

import type { ShownBlock } from '../engine/results';

export interface BlockRow {
  readonly block: ShownBlock;
  readonly depth: number;
  readonly expanded: boolean | undefined; // undefined: nothing inside
}

// Blocks that the reader opened or closed; any other is open down to a depth that shows a layer's parts.
export type Folds = ReadonlyMap<string, boolean>;

const kOpenDepth = 2;

export function visibleRows(
  tree: readonly ShownBlock[],
  folds: Folds,
  depth = 0,
): readonly BlockRow[] {
  return tree.flatMap((block) => {
    if (block.children.length === 0) return [{ block, depth, expanded: undefined }];
    const expanded = folds.get(block.path) ?? depth < kOpenDepth;
    const inside = expanded ? visibleRows(block.children, folds, depth + 1) : [];
    return [{ block, depth, expanded }, ...inside];
  });
}

// Opens everything around a block, so that it is on screen.
export function unfoldedTo(path: string, folds: Folds): Folds {
  const opened = new Map(folds);
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    opened.set(path.slice(0, at), true);
  return opened;
}

export function folded(folds: Folds, path: string, expanded: boolean): Folds {
  return new Map(folds).set(path, expanded);
}
