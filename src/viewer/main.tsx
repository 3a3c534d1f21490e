/** The report page: the bar at the top and the view that the address names. */

import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import './theme.css';
import './page.css';
import { embeddedSource, readPayload } from './embedded.ts';
import type { Payload, PayloadEpisode } from '../results/page/index.ts';
import { CompareView } from './compare/index.tsx';
import type { Route } from './address.ts';
import { Navigated, useNavigation } from './navigation.tsx';
import { RunViews } from './run-views.tsx';
import { SourceContext } from './source.ts';
import { ThemeToggle } from './theme-toggle.tsx';

function App({ payload }: { readonly payload: Payload }) {
  const source = useMemo(() => embeddedSource(payload), [payload]);
  return (
    <SourceContext.Provider value={source}>
      <Navigated home={homeOf(payload)}>
        <TopBar payload={payload} />
        <main>
          <View payload={payload} />
        </main>
      </Navigated>
    </SourceContext.Provider>
  );
}

type ReportRoute = Exclude<Route, { readonly page: 'runs' | 'schedules' }>;

function homeOf({ runs }: Payload): ReportRoute {
  return runs.length > 1 ? { page: 'compare', runs: [] } : { page: 'run', run: '0' };
}

/** The view that the address names, of those that a report has. */
function useReportRoute(payload: Payload): ReportRoute {
  const { place } = useNavigation();
  const { route } = place;
  return route.page === 'runs' || route.page === 'schedules' ? homeOf(payload) : route;
}

function View({ payload }: { readonly payload: Payload }) {
  const { go } = useNavigation();
  const route = useReportRoute(payload);
  if (route.page === 'compare') {
    const open = (at: number, { taskId, trial }: PayloadEpisode) =>
      go({ page: 'episode', run: String(at), taskId, trial, step: null });
    return (
      <>
        <h1>Comparison</h1>
        <CompareView runs={payload.runs} comparison={payload.comparison} onPick={open} />
      </>
    );
  }
  const run = payload.runs[Number(route.run)];
  if (run === undefined) return <p class="empty">There is no such run in this report.</p>;
  return <RunViews run={run} route={route} />;
}

/** The shown run, the others, and the theme. */
function TopBar({ payload }: { readonly payload: Payload }) {
  const { linkTo } = useNavigation();
  const route = useReportRoute(payload);
  const { runs, asOf } = payload;
  const shown = route.page === 'compare' ? null : route.run;
  return (
    <header class="top-bar">
      <span class="brand">
        <span aria-hidden="true">τ</span> Tauflow<span class="brand-rest"> report</span>
      </span>
      <nav aria-label="Runs">
        {runs.length > 1 ? (
          <a href={linkTo({ page: 'compare', runs: [] })} aria-current={shown === null ? 'page' : undefined}>
            Compare
          </a>
        ) : null}
        {runs.map(({ subject }, at) => {
          const run = String(at);
          return (
            <a key={run} href={linkTo({ page: 'run', run })} aria-current={shown === run ? 'page' : undefined}>
              {subject.runId}
            </a>
          );
        })}
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

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
root.textContent = '';
render(<App payload={readPayload()} />, root);
