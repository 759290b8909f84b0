import type { AnalyzeResult, Finding } from 'roofbeam';
import { useStore } from '../state/context';
import { text } from '../text/en';
import { Section } from '../widgets/figure';

const t = text.overview;

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly notes: AnalyzeResult['notes'];
}

// What the design rules found, in the engine's order, and what the figures rest on.
export function FindingList({ findings, notes }: FindingListProps) {
  return (
    <>
      <Section id="findings" title={t.findings}>
        {findings.length === 0 ? (
          <p class="quiet">{t.noFindings}</p>
        ) : (
          <ul class="findings">
            {findings.map((finding) => (
              <FindingRow
                key={`${finding.rule} ${finding.path ?? ''} ${finding.port ?? ''} ${finding.message}`}
                finding={finding}
              />
            ))}
          </ul>
        )}
      </Section>
      {notes.length > 0 && (
        <Section id="notes" title={t.notes}>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { severity, path, message, hint } = finding;
  return (
    <li class={`finding finding-${severity}`}>
      <span class="finding-severity">{t.severities[severity]}</span>
      <span class="finding-text">
        {path !== null && path !== '' && <BlockLink path={path} />} {message}
        {hint !== '' && <span class="problem-hint">{hint}</span>}
      </span>
    </li>
  );
}

// Leads to the block that a finding is about.
export function BlockLink({ path }: { readonly path: string }) {
  const store = useStore();
  return (
    <button
      type="button"
      class="link pointer"
      onClick={() =>
        store.update((state) => ({
          ...state,
          view: 'paths',
          paths: { ...state.paths, filter: path },
        }))
      }
    >
      {path}
    </button>
  );
}
