import type { Finding } from 'roofbeam';
import { MaskGrid } from '../charts/mask-grid';
import { explainRequest } from '../engine/requests';
import type { ExplainedParameter, ExplainResult } from '../engine/results';
import * as format from '../format/quantity';
import { useStore } from '../state/context';
import { useQuestion } from '../state/question';
import { text } from '../text/en';
import { Figure, Row } from '../widgets/figure';
import { ProblemList } from '../widgets/problems';
import { asWritten } from '../widgets/written';

const t = text.structure;

interface ExplanationProps {
  readonly path: string;
  readonly findings: readonly Finding[];
}

// What the chosen block is, what it was given, what it costs.
export function Explanation({ path, findings }: ExplanationProps) {
  const store = useStore();
  const { model, point } = store.state.value;
  const { result, pending, diagnostics } = useQuestion<ExplainResult>(
    'explain',
    explainRequest(model, point, path),
  );
  return (
    <aside class="explanation" aria-label={t.explanation}>
      <div class="explanation-head">
        <h3 class="pointer">{path}</h3>
        <button
          type="button"
          class="link"
          onClick={() => store.update((state) => ({ ...state, block: undefined }))}
        >
          {t.close}
        </button>
      </div>
      {findings
        .filter((finding) => finding.path === path)
        .map(({ rule, severity, message, hint }) => (
          <p key={`${rule} ${message}`} class={`finding-${severity}`}>
            <span class="finding-severity">{text.overview.severities[severity]}</span> {message}
            {hint !== '' && <span class="problem-hint">{hint}</span>}
          </p>
        ))}
      {diagnostics.length > 0 && <ProblemList diagnostics={diagnostics} />}
      {result && diagnostics.length === 0 && (
        <div class={pending ? 'figures stale' : 'figures'}>
          <Explained result={result} />
        </div>
      )}
    </aside>
  );
}

function Explained({ result }: { readonly result: ExplainResult }) {
  const { docs, mask } = result;
  return (
    <>
      <p>
        {docs.name} <code class="quiet">{result.type}</code>
      </p>
      {docs.summary !== '' && <p class="quiet">{docs.summary}</p>}
      {docs.formula !== '' && <pre class="formula">{docs.formula}</pre>}
      <Contribution result={result} />
      <Breakdown result={result} />
      <Parameters params={result.params} />
      <Ports result={result} />
      {mask && (
        <figure class="mask">
          <MaskGrid mask={mask} label={t.mask(mask.path, mask.head, mask.heads)} />
          <figcaption class="quiet">{t.maskCaption(mask.length)}</figcaption>
        </figure>
      )}
      {docs.refs.length > 0 && (
        <ul class="quiet" aria-label={t.references}>
          {docs.refs.map((reference) => (
            <li key={reference}>{reference}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Contribution({ result: { contribution, copies } }: { readonly result: ExplainResult }) {
  return (
    <dl class="rows">
      <Row
        label={t.parameters}
        quantity={format.count(contribution.params, 'parameters')}
        kind="main"
      />
      <Row label={t.share} quantity={format.percent(contribution.share_of_params)} kind="part" />
      {contribution.active_params !== contribution.params && (
        <Row
          label={t.active}
          quantity={format.count(contribution.active_params, 'parameters')}
          kind="part"
        />
      )}
      <Row label={t.flops} quantity={format.flops(contribution.flops_per_token)} kind="main" />
      <Row label={t.share} quantity={format.percent(contribution.share_of_flops)} kind="part" />
      <Row label={t.activations} quantity={format.bytes(contribution.activation_bytes)} />
      <Row label={t.cachePerToken} quantity={format.bytes(contribution.cache_bytes_per_token)} />
      <Row
        label={t.cachePerSequence}
        quantity={format.bytes(contribution.cache_bytes_per_sequence)}
      />
      <Row label={t.copies} quantity={format.whole(copies.total)} />
    </dl>
  );
}

function Breakdown({ result: { breakdown } }: { readonly result: ExplainResult }) {
  if (breakdown.length < 2) return null;
  return (
    <table class="explained">
      <caption>{t.breakdown}</caption>
      <tbody>
        {breakdown.map(({ path, params }) => (
          <tr key={path}>
            <th scope="row" class="pointer">
              {path}
            </th>
            <td>
              <Figure quantity={format.count(params, 'parameters')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Parameters({ params }: { readonly params: Readonly<Record<string, ExplainedParameter>> }) {
  const given = Object.entries(params);
  if (given.length === 0) return null;
  return (
    <table class="explained">
      <caption>{t.given}</caption>
      <tbody>
        {given.map(([name, { expression, value, doc }]) => (
          <tr key={name}>
            <th scope="row" class="pointer" title={doc}>
              {name}
            </th>
            <td class="pointer">
              {expression !== null && <span class="quiet">{expression} = </span>}
              {asWritten(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Ports({ result: { ports, shapes } }: { readonly result: ExplainResult }) {
  const rows = (['in', 'out'] as const).flatMap((side) =>
    Object.entries(ports[side]).map(([port, pattern]) => ({
      name: t.port(side, port),
      pattern,
      shape: shapes[side][port] ?? t.unknownShape,
    })),
  );
  return (
    <table class="explained">
      <caption>{t.ports}</caption>
      <tbody>
        {rows.map(({ name, pattern, shape }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="pointer" title={pattern}>
              {shape}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
