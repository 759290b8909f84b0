// Light or dark is the reader's, not the link's: it is kept in this browser and not in the state.

import { useState } from 'preact/hooks';

export const kThemes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof kThemes)[number];

const kKey = 'roofbeam.theme';

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(kKey);
    return kThemes.find((theme) => theme === stored) ?? 'auto';
  } catch {
    return 'auto'; // storage is blocked
  }
}

export function applyTheme(theme: Theme = storedTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === 'auto') delete dataset['theme'];
  else dataset['theme'] = theme;
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
    try {
      localStorage.setItem(kKey, next);
    } catch {
      // Storage is blocked: the choice holds until the page is closed.
    }
  };
  return [theme, choose];
}
