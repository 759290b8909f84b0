import type { Finding } from 'roofbeam';
import { useStore } from '../state/context';
import { text } from '../text/en';
import { Section } from '../widgets/figure';

const t = text.overview;

// What the design rules found, gravest first as the engine orders them.
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
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
  );
}

interface NotesProps {
  readonly remarks: readonly string[];
  readonly notes: readonly string[];
}

// What the import could not carry over, then what the figures rest on.
export function Notes({ remarks, notes }: NotesProps) {
  if (remarks.length + notes.length === 0) return null;
  return (
    <Section id="notes" title={t.notes}>
      <ul class="notes">
        {[...remarks, ...notes].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Section>
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
      onClick={() => store.update((state) => ({ ...state, view: 'structure', block: path }))}
    >
      {path}
    </button>
  );
}
