import { useEffect, useState } from 'preact/hooks';
import type { Diagnostic } from 'roofbeam';
import { useStore } from './context';

export interface Question<Result> {
  readonly result: Result | undefined; // the last one there was, while a newer is on its way
  readonly pending: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

// A question that only one view asks: asked when the view is shown and whenever its text changes.
export function useQuestion<Result>(lane: string, request: string): Question<Result> {
  const store = useStore();
  const attempt = store.attempt.value;
  const [question, setQuestion] = useState<Question<Result>>({
    result: undefined,
    pending: true,
    diagnostics: [],
  });
  useEffect(() => {
    let current = true;
    setQuestion((last) => ({ ...last, pending: true }));
    void store.run(lane, request).then((response) => {
      if (!current) return;
      setQuestion((last) => {
        if (!response) return { ...last, pending: false };
        return response.ok
          ? { result: response.result as Result, pending: false, diagnostics: [] }
          : { ...last, pending: false, diagnostics: response.diagnostics };
      });
    });
    return () => {
      current = false;
    };
  }, [store, lane, request, attempt]);
  return question;
}
