/** The page's theme, and the button that changes it. */

import { useState } from 'preact/hooks';

type Theme = 'light' | 'dark';

const STORED_AS = 'tauflow-theme';

/** Switches between light and dark; the system's setting applies until then. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(() => apply(readTheme()) ?? systems());
  const other = theme === 'dark' ? 'light' : 'dark';
  const toggle = () => {
    apply(other);
    store(other);
    setTheme(other);
  };
  return (
    <button type="button" class="button" onClick={toggle} title={`Show the page ${other}`}>
      <span aria-hidden="true">{theme === 'dark' ? '☀' : '☾'}</span>
      <span class="unseen">Show the page {other}</span>
    </button>
  );
}

function apply(theme: Theme | null): Theme | null {
  if (theme !== null) document.documentElement.dataset['theme'] = theme;
  return theme;
}

function systems(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Returns the stored choice; null if there is none. Browsers may refuse storage to a page from a file. */
function readTheme(): Theme | null {
  try {
    const theme = localStorage.getItem(STORED_AS);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // See stored().
  }
}
