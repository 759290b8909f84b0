import { ShareBar } from '../charts/share-bar';
import type { AnalyzeResult } from 'roofbeam';
import * as format from '../format/quantity';
import { useStore } from '../state/context';
import { kPathColumns, sortedBy, type PathColumn, type PathTable } from '../state/state';
import { text } from '../text/en';
import { Figure } from '../widgets/figure';
import { grouped, parentPath, pathRows, shownRows, type PathRow } from './paths-rows';

const t = text.paths;

const kFormats = {
  params: (value: number | null) => format.count(value, 'parameters'),
  flops: format.flops,
  activations: format.bytes,
} as const;
const kFigures = ['params', 'flops', 'activations'] as const;

export function Paths({ result }: { readonly result: AnalyzeResult }) {
  const store = useStore();
  const table = store.state.value.paths;
  const change = (next: Partial<PathTable>) =>
    store.update((state) => ({ ...state, paths: { ...state.paths, ...next } }));
  const all = pathRows(result);
  const rows = shownRows(all, table);
  const groups = table.grouped ? grouped(rows) : [{ path: undefined, rows }];
  const largest = {
    params: Math.max(0, ...all.map((row) => row.params ?? 0)),
    flops: Math.max(0, ...all.map((row) => row.flops ?? 0)),
    activations: Math.max(0, ...all.map((row) => row.activations ?? 0)),
  };
  return (
    <div class="paths">
      <div class="paths-tools">
        <label class="field">
          <span>{t.filter}</span>
          <input
            type="search"
            value={table.filter}
            spellcheck={false}
            onInput={(event) => change({ filter: event.currentTarget.value })}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={table.grouped}
            onChange={(event) => change({ grouped: event.currentTarget.checked })}
          />
          {t.grouped}
        </label>
        <p class="quiet" role="status">
          {t.shown(rows.length, all.length)}
        </p>
      </div>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t.title}>
        <table class="paths-table">
          <thead>
            <tr>
              {kPathColumns.map((column) => (
                <ColumnHead key={column} column={column} table={table} />
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.path ?? ''}>
              {group.path !== undefined && (
                <tr class="paths-group">
                  <th scope="rowgroup" colSpan={4}>
                    {group.path === '' ? t.root : group.path}
                  </th>
                </tr>
              )}
              {group.rows.map((row) => (
                <PathLine key={row.path} row={row} grouped={table.grouped} largest={largest} />
              ))}
            </tbody>
          ))}
        </table>
        {rows.length === 0 && <p class="quiet">{t.none}</p>}
      </div>
    </div>
  );
}

function ColumnHead({ column, table }: { readonly column: PathColumn; readonly table: PathTable }) {
  const store = useStore();
  const sorted = table.sort === column;
  const order = sorted ? (table.descending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={order} class={column === 'path' ? 'paths-name' : 'paths-figure'}>
      <button
        type="button"
        class="column-head"
        title={t.sortHint}
        onClick={() =>
          store.update((state) => ({ ...state, paths: sortedBy(state.paths, column) }))
        }
      >
        {t.columns[column]}
        <span class="sort-mark" aria-hidden="true">
          {sorted ? (table.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}

interface PathLineProps {
  readonly row: PathRow;
  readonly grouped: boolean;
  readonly largest: Readonly<Record<(typeof kFigures)[number], number>>;
}

function PathLine({ row, grouped: inGroup, largest }: PathLineProps) {
  const parent = parentPath(row.path);
  const name = inGroup && parent !== '' ? row.path.slice(parent.length + 1) : row.path;
  return (
    <tr>
      <th scope="row" class="paths-name" title={row.path}>
        {name}
      </th>
      {kFigures.map((figure) => {
        const value = row[figure];
        return (
          <td key={figure} class="paths-figure">
            {value !== undefined && (
              <div class="paths-cell">
                <ShareBar value={value ?? 0} largest={largest[figure]} />
                <Figure quantity={kFormats[figure](value)} />
              </div>
            )}
          </td>
        );
      })}
    </tr>
  );
}
