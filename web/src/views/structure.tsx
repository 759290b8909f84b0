import { useEffect, useRef, useState } from 'preact/hooks';
import type { Finding } from 'roofbeam';
import { showRequest } from '../engine/requests';
import type { ShowResult, ShownBlock } from '../engine/results';
import * as format from '../format/quantity';
import { useStore } from '../state/context';
import { useQuestion } from '../state/question';
import { text } from '../text/en';
import { Figure } from '../widgets/figure';
import { ProblemList } from '../widgets/problems';
import { Explanation } from './explanation';
import { folded, unfoldedTo, visibleRows, type BlockRow, type Folds } from './structure-tree';

const t = text.structure;

// The design's blocks as a tree with their shapes; beside it, what the chosen block is and costs.
export function Structure({ findings }: { readonly findings: readonly Finding[] }) {
  const store = useStore();
  const { model, block } = store.state.value;
  const { result, diagnostics } = useQuestion<ShowResult>('show', showRequest(model));
  if (diagnostics.length > 0) return <ProblemList diagnostics={diagnostics} />;
  if (!result) return <p class="quiet">{text.answer.waiting}</p>;
  return (
    <div class="structure">
      <BlockTree tree={result.tree} findings={findings} chosen={block} />
      {block === undefined ? (
        <p class="quiet structure-hint">{t.hint}</p>
      ) : (
        <Explanation path={block} findings={findings} />
      )}
    </div>
  );
}

interface BlockTreeProps {
  readonly tree: readonly ShownBlock[];
  readonly findings: readonly Finding[];
  readonly chosen: string | undefined;
}

function BlockTree({ tree, findings, chosen }: BlockTreeProps) {
  const [folds, setFolds] = useState<Folds>(() =>
    chosen === undefined ? new Map() : unfoldedTo(chosen, new Map()),
  );
  const table = useRef<HTMLTableElement>(null);
  // A block chosen elsewhere, from a finding or a link, is brought on screen.
  useEffect(() => {
    if (chosen === undefined) return;
    setFolds((current) => unfoldedTo(chosen, current));
    table.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={t.title}>
      <table class="tree" ref={table}>
        <thead>
          <tr>
            <th scope="col">{t.block}</th>
            <th scope="col">{t.type}</th>
            <th scope="col" class="tree-figure" title={t.oneCopy}>
              {t.parameters}
            </th>
            <th scope="col">{t.shapes}</th>
          </tr>
        </thead>
        <tbody>
          {visibleRows(tree, folds).map((row) => (
            <BlockLine
              key={row.block.path}
              row={row}
              chosen={row.block.path === chosen}
              finding={findings.find(({ path }) => path === row.block.path)}
              fold={(expanded) => setFolds((current) => folded(current, row.block.path, expanded))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BlockLineProps {
  readonly row: BlockRow;
  readonly chosen: boolean;
  readonly finding: Finding | undefined; // the gravest of the block
  readonly fold: (expanded: boolean) => void;
}

function BlockLine({ row: { block, depth, expanded }, chosen, finding, fold }: BlockLineProps) {
  const store = useStore();
  return (
    <tr class={chosen ? 'tree-chosen' : ''}>
      <th scope="row" class={`tree-name depth-${Math.min(depth, kDeepestIndent)}`}>
        <span class="tree-label">
          {expanded === undefined ? (
            <span class="tree-fold" />
          ) : (
            <button
              type="button"
              class="tree-fold"
              aria-expanded={expanded}
              aria-label={t.fold(block.path)}
              onClick={() => fold(!expanded)}
            >
              <span aria-hidden="true">{expanded ? '▾' : '▸'}</span>
            </button>
          )}
          <button
            type="button"
            class="link pointer"
            title={block.path}
            aria-current={chosen ? 'true' : undefined}
            onClick={() => store.update((state) => ({ ...state, block: block.path }))}
          >
            {block.id}
          </button>
          {block.repeat !== null && <span class="tree-repeat">× {block.repeat}</span>}
          {finding && (
            <span class={`finding-severity finding-${finding.severity}`} title={finding.message}>
              {text.overview.severities[finding.severity]}
            </span>
          )}
        </span>
      </th>
      <td>{block.label ?? block.type}</td>
      <td class="tree-figure">
        {block.params !== 0 && <Figure quantity={format.count(block.params, 'parameters')} />}
      </td>
      <td>
        {block.outputs.map(({ port, shape, numeric_shape: numeric, to }) => (
          <code key={port} class="tree-shape" title={t.output(port, numeric, to)}>
            {shape ?? t.unknownShape}
          </code>
        ))}
      </td>
    </tr>
  );
}

const kDeepestIndent = 8;
