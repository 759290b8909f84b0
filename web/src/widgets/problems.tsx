import type { Diagnostic } from 'roofbeam';
import { text } from '../text/en';

// The pointer as the document's owner knows it: without the request's own key in front.
function pointerInDocument(path: string): string {
  const pointer = path.replace(/^\/(config|design)(?=\/|$)/, '');
  return pointer === '' ? text.model.wholeDocument : pointer;
}

export function ProblemList({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <ul class="problems">
      {diagnostics.map(({ code, path, message, hint }) => (
        <li key={`${path} ${code} ${message}`}>
          <code class="pointer">{pointerInDocument(path)}</code>
          <span class="problem-message">{message}</span>
          {hint !== '' && <span class="problem-hint">{hint}</span>}
        </li>
      ))}
    </ul>
  );
}
