import { useEffect, useState } from 'preact/hooks';

// The same width as in styles/page.css: below it the page is one column, and what is not the answer folds.
const kNarrow = '(max-width: 52rem)';

export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(kNarrow).matches);
  useEffect(() => {
    const query = matchMedia(kNarrow);
    const follow = () => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return narrow;
}
