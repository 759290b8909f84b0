import { useState } from 'preact/hooks';
import { text } from '../text/en';
import { kThemes, useTheme } from '../state/theme';

const t = text.header;

export function Header() {
  return (
    <header class="masthead">
      <h1>
        <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
          <path class="mark-post" d="M6 21 V13 M18 21 V6" />
          <path d="M2 18 L11 6 H22" />
        </svg>
        {text.product}
      </h1>
      <p class="tagline">{text.tagline}</p>
      <ShareButton />
      <ThemeButton />
    </header>
  );
}

// The address bar always holds the whole state (state/history.ts).
function ShareButton() {
  const [said, setSaid] = useState<string | undefined>(undefined);
  const copy = () => {
    const copied =
      navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => setSaid(t.shared),
      () => setSaid(t.shareFailed),
    );
  };
  return (
    <button type="button" class="link" onClick={copy} onBlur={() => setSaid(undefined)}>
      <span role="status">{said ?? t.share}</span>
    </button>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const next = kThemes[(kThemes.indexOf(theme) + 1) % kThemes.length] ?? 'auto';
  return (
    <button type="button" class="link" onClick={() => setTheme(next)}>
      {t.theme(theme)}
    </button>
  );
}
