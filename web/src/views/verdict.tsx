import type { AnalyzeResult } from 'roofbeam';
import { text } from '../text/en';

// The answer in words, as the engine says it.
export function VerdictLines({ result: { verdict } }: { readonly result: AnalyzeResult }) {
  if (!verdict) return null;
  return (
    <section class="verdict" aria-label={text.overview.verdict}>
      <p>{verdict.training}</p>
      <p>{verdict.serving}</p>
    </section>
  );
}
