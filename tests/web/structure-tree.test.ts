import { expect, test } from 'vitest';
import type { ShownBlock } from '../../web/src/engine/results';
import { folded, unfoldedTo, visibleRows } from '../../web/src/views/structure-tree';

function block(path: string, ...children: readonly ShownBlock[]): ShownBlock {
  const id = path.split('/').at(-1)!;
  return {
    path,
    id,
    type: 'linear',
    kind: 'primitive',
    label: null,
    params: 0,
    repeat: null,
    arguments: {},
    outputs: [],
    children,
  };
}

const tree = [
  block('embed'),
  block('layers', block('layers/block', block('layers/block/attn', block('layers/block/attn/q')))),
  block('head'),
];

const paths = (...args: Parameters<typeof visibleRows>) =>
  visibleRows(...args).map((row) => row.block.path);

test('a tree opens far enough to show what a layer is made of', () => {
  expect(
    visibleRows(tree, new Map()).map((row) => [row.block.path, row.depth, row.expanded]),
  ).toEqual([
    ['embed', 0, undefined],
    ['layers', 0, true],
    ['layers/block', 1, true],
    ['layers/block/attn', 2, false],
    ['head', 0, undefined],
  ]);
});

test('folding a block hides everything in it, and opening it brings all back', () => {
  const closed = folded(new Map(), 'layers', false);
  expect(paths(tree, closed)).toEqual(['embed', 'layers', 'head']);
  expect(paths(tree, folded(closed, 'layers', true))).toEqual(paths(tree, new Map()));
});

test('whatever was folded, a block that is led to is on screen', () => {
  const closed = folded(folded(new Map(), 'layers', false), 'layers/block', false);
  expect(paths(tree, unfoldedTo('layers/block/attn/q', closed))).toContain('layers/block/attn/q');
  expect(paths(tree, closed)).toHaveLength(3); // folds are values
});
