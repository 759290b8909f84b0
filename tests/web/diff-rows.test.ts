import { expect, test } from 'vitest';
import type { DiffResult } from '../../web/src/engine/results';
import { changedRows } from '../../web/src/views/diff-rows';

const nothing: DiffResult = {
  a: 'left',
  b: 'right',
  identical: false,
  at: { T: 1, B: 1, S: null, hardware: 'h100-sxm' },
  symbols: { added: [], removed: [], changed: [] },
  definitions: { added: [], removed: [], changed: [] },
  blocks: { added: [], removed: [], changed: [] },
  edges: { added: [], removed: [] },
  metrics: [],
};

function sides(rows: readonly { what: string; a: string | undefined; b: string | undefined }[]) {
  return rows.map(({ what, a, b }) => [what, a, b]);
}

test('symbols stand as they are written, with what an expression comes to', () => {
  const rows = changedRows({
    ...nothing,
    symbols: {
      changed: [{ name: 'F', from: '4*D', to: 14336, from_value: 16384, to_value: 14336 }],
      removed: [{ name: 'W', written: 4096, value: 4096 }],
      added: [{ name: 'E', written: { kind: 'runtime', default: 8 }, value: 8 }],
    },
  });
  expect(sides(rows.symbols)).toEqual([
    ['F', '4*D = 16384', '14336'],
    ['W', '4096', undefined],
    ['E', undefined, '{"kind":"runtime","default":8}'],
  ]);
});

test('a changed block has a line for its type, its label and each parameter', () => {
  const rows = changedRows({
    ...nothing,
    blocks: {
      changed: [
        {
          path: 'layers/block',
          type: { from: 'transformer_block', to: 'moe_block' },
          label: { from: null, to: 'Layer' },
          params: [
            { name: 'qk_norm', from: null, to: true },
            { name: 'ffn', from: 'F', to: '4*D' },
          ],
        },
      ],
      removed: [{ path: 'pos', type: 'pos_embedding' }],
      added: [],
    },
    edges: { removed: [], added: [{ graph: '<root>', from: 'embed:y', to: 'layers:x' }] },
  });
  expect(sides(rows.blocks)).toEqual([
    ['layers/block', 'transformer_block', 'moe_block'],
    ['layers/block label', undefined, 'Layer'],
    ['layers/block qk_norm', undefined, 'true'],
    ['layers/block ffn', 'F', '4*D'],
    ['pos', 'pos_embedding', undefined],
  ]);
  expect(sides(rows.wires)).toEqual([['<root>', undefined, 'embed:y → layers:x']]);
});
