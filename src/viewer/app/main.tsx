/** The app that `tauflow view` serves: the runs of a log folder, and everything in them. */

import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import '../theme.css';
import '../page.css';
import './app.css';
import type { RunList } from '../../view/api.ts';
import { WHOLE_LIST } from '../address.ts';
import { Navigated, useNavigation } from '../navigation.tsx';
import { SourceContext } from '../source.ts';
import { ThemeToggle } from '../theme-toggle.tsx';
import { apiPath, useAnswer } from './api.ts';
import { ComparePage } from './compare.tsx';
import { KeysHelp } from './keys-help.tsx';
import { RunPage } from './run/index.tsx';
import { RunsPage } from './runs/index.tsx';
import { SchedulesPage } from './schedules/index.tsx';
import { serverSource } from './server-source.ts';

/** A list of hundreds of runs is read from files that mostly stay as they are. */
const LIST_MS = 4000;

function App() {
  const source = useMemo(serverSource, []);
  return (
    <SourceContext.Provider value={source}>
      <Navigated home={{ page: 'runs', list: WHOLE_LIST }}>
        <Views />
      </Navigated>
    </SourceContext.Provider>
  );
}

function Views() {
  const { place } = useNavigation();
  const { route } = place;
  const list = useAnswer<RunList>(apiPath('runs'), route.page === 'runs' ? LIST_MS : null);
  const logDir = list.loading.kind === 'ready' ? list.loading.value.logDir : null;
  return (
    <>
      <a class="skip-link" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <TopBar logDir={logDir} />
      <main id="content" tabIndex={-1}>
        {route.page === 'runs' ? <RunsPage list={list} filters={route.list} /> : null}
        {route.page === 'compare' ? <ComparePage key={route.runs.join('\n')} ids={route.runs} /> : null}
        {route.page === 'schedules' ? <SchedulesPage schedule={route.schedule} /> : null}
        {'run' in route ? <RunPage key={route.run} route={route} /> : null}
      </main>
      <KeysHelp />
    </>
  );
}

/** Addresses after `#` name views, so the link does by itself nothing that it should. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function TopBar({ logDir }: { readonly logDir: string | null }) {
  const { place, linkTo } = useNavigation();
  const { route } = place;
  const runs = linkTo({ page: 'runs', list: WHOLE_LIST });
  return (
    <header class="top-bar">
      <a class="brand" href={runs}>
        <span aria-hidden="true">τ</span> Tauflow
      </a>
      <nav aria-label="Views">
        <a href={runs} aria-current={route.page === 'schedules' ? undefined : 'page'}>
          Runs
        </a>
        <a
          href={linkTo({ page: 'schedules', schedule: null })}
          aria-current={route.page === 'schedules' ? 'page' : undefined}
        >
          Schedules
        </a>
      </nav>
      {logDir === null ? null : (
        <span class="log-dir" title={logDir}>
          <span class="unseen">Log folder: </span>
          <bdi>{logDir}</bdi>
        </span>
      )}
      <ThemeToggle />
    </header>
  );
}

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
root.textContent = '';
render(<App />, root);
