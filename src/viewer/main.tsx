/** The report page: the bar at the top and the view that the address names. */

import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import './theme.css';
import './page.css';
import { readPayload, useSearch } from './data.ts';
import type { Payload, PayloadEpisode } from '../results/page/index.ts';
import { CompareView } from './compare/index.tsx';
import { EpisodePage } from './episode/index.tsx';
import { matching, type Route } from './address.ts';
import { Overview } from './overview/index.tsx';
import { Navigated, useNavigation } from './navigation.tsx';
import { TaskPage } from './task/index.tsx';

function App({ payload }: { readonly payload: Payload }) {
  const home: Route = payload.runs.length > 1 ? { page: 'compare' } : { page: 'run', run: 0 };
  return (
    <Navigated home={home}>
      <TopBar payload={payload} />
      <main>
        <View payload={payload} />
      </main>
    </Navigated>
  );
}

function View({ payload }: { readonly payload: Payload }) {
  const { place, go } = useNavigation();
  const { route, filters } = place;
  const index = route.page === 'compare' ? -1 : route.run;
  const run = payload.runs[index];
  const search = useSearch(run, filters);
  const shown = useMemo(
    () => (run === undefined ? [] : matching(run, filters, search.found)),
    [run, filters, search.found],
  );
  const open = (of: number, { taskId, trial }: PayloadEpisode) =>
    go({ page: 'episode', run: of, taskId, trial, step: null });

  if (route.page === 'compare') {
    return (
      <>
        <h1>Comparison</h1>
        <CompareView runs={payload.runs} comparison={payload.comparison} onPick={open} />
      </>
    );
  }
  if (run === undefined) return <p class="empty">There is no such run in this report.</p>;
  if (route.page === 'run') {
    return (
      <Overview run={run} index={index} shown={shown} search={search} onPick={(episode) => open(index, episode)} />
    );
  }
  const trials = run.episodes.filter(({ taskId }) => taskId === route.taskId);
  if (route.page === 'task') return <TaskPage run={run} index={index} taskId={route.taskId} trials={trials} />;
  const episode = trials.find(({ trial }) => trial === route.trial);
  if (episode === undefined) return <p class="empty">There is no such episode in this report.</p>;
  return <EpisodePage run={run} index={index} episode={episode} trials={trials} shown={shown} step={route.step} />;
}

/** The shown run, the others, and the theme. */
function TopBar({ payload }: { readonly payload: Payload }) {
  const { place, linkTo } = useNavigation();
  const { route } = place;
  const { runs, asOf } = payload;
  const shown = route.page === 'compare' ? null : route.run;
  return (
    <header class="top-bar">
      <span class="brand">
        <span aria-hidden="true">τ</span> Tauflow<span class="brand-rest"> report</span>
      </span>
      <nav aria-label="Runs">
        {runs.length > 1 ? (
          <a href={linkTo({ page: 'compare' })} aria-current={shown === null ? 'page' : undefined}>
            Compare
          </a>
        ) : null}
        {runs.map(({ subject }, run) => (
          <a key={run} href={linkTo({ page: 'run', run })} aria-current={shown === run ? 'page' : undefined}>
            {subject.runId}
          </a>
        ))}
      </nav>
      {asOf === null ? null : (
        <time class="as-of" dateTime={asOf} title={`The newest episode ended at ${asOf}`}>
          {asOf.slice(0, 10)}
        </time>
      )}
      <ThemeToggle />
    </header>
  );
}

type Theme = 'light' | 'dark';

const STORED_AS = 'tauflow-theme';

/** Light or dark: the system's setting until the reader chooses another. */
function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(() => apply(stored()) ?? systems());
  const other = theme === 'dark' ? 'light' : 'dark';
  const toggle = () => {
    apply(other);
    store(other);
    setTheme(other);
  };
  return (
    <button type="button" class="icon-button" onClick={toggle} title={`Show the page ${other}`}>
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

/** Browsers may refuse storage to a page from a file; then the choice lasts as long as the page. */
function stored(): Theme | null {
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

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
root.textContent = '';
render(<App payload={readPayload()} />, root);
