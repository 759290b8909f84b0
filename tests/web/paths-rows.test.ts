import { expect, test } from 'vitest';
import type { AnalyzeResult } from 'roofbeam';
import { grouped, pathRows, shownRows } from '../../web/src/views/paths-rows';
import { kInitialState, sortedBy, type PathTable } from '../../web/src/state/state';
import llama from './recorded/llama-3-8b.json';

const result = llama.result as unknown as AnalyzeResult;
const rows = pathRows(result);
const plain: PathTable = kInitialState.paths;

test('every path of the three tables has one row with its figures', () => {
  const paths = new Set([
    ...Object.keys(result.params_by_path),
    ...Object.keys(result.flops_by_path),
    ...Object.keys(result.activations_by_path),
  ]);
  expect(rows.map(({ path }) => path).toSorted()).toEqual([...paths].toSorted());
  expect(rows.find(({ path }) => path === 'head')).toEqual({
    path: 'head',
    params: 525_336_576,
    flops: 1_050_673_152,
    activations: 6_304_038_912,
  });
  expect(rows.find(({ path }) => path === 'layers/block/attn/rope_q')).toMatchObject({
    params: undefined,
    flops: undefined,
  });
});

test('rows keep the order of the engine; what enters a block stands before what is in it', () => {
  const paths = rows.map(({ path }) => path);
  expect(paths[0]).toBe('embed');
  expect(paths.indexOf('final_norm')).toBeLessThan(paths.indexOf('head'));
  expect(paths.indexOf('layers/block/_in')).toBeLessThan(paths.indexOf('layers/block/norm1'));
  expect(paths.indexOf('layers/block/attn/_in')).toBeLessThan(
    paths.indexOf('layers/block/attn/q_proj'),
  );
});

test('a filter keeps the paths that hold every word', () => {
  const shown = shownRows(rows, { ...plain, filter: 'ATTN proj' });
  expect(shown.map(({ path }) => path.split('/').at(-1))).toEqual([
    'q_proj',
    'k_proj',
    'v_proj',
    'o_proj',
  ]);
});

test('sorting by a figure puts the paths without it last', () => {
  const shown = shownRows(rows, { ...plain, sort: 'params', descending: true });
  expect(shown[0]?.path).toMatch(/mlp/);
  expect(shown.at(-1)?.params).toBeUndefined();
});

test('groups are the blocks that hold the rows', () => {
  const groups = grouped(rows);
  expect(groups.map(({ path }) => path)).toEqual([
    '',
    'layers/block',
    'layers/block/attn',
    'layers/block/mlp',
  ]);
  expect(groups.flatMap((group) => group.rows)).toHaveLength(rows.length);
});

test('a column head sorts, reverses, and goes back to the order of the design', () => {
  const once = sortedBy(plain, 'params');
  const twice = sortedBy(once, 'params');
  const thrice = sortedBy(twice, 'params');
  expect([once, twice, thrice].map(({ sort, descending }) => [sort, descending])).toEqual([
    ['params', true],
    ['params', false],
    ['document', false],
  ]);
  expect(sortedBy(once, 'path')).toMatchObject({ sort: 'path', descending: false });
});
