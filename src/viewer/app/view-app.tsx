/** The view of a log folder's runs, with the server of `tauflow view`. */

import { useMemo } from 'preact/hooks';
import type { RunList } from '../data/api.ts';
import { WHOLE_LIST } from './address.ts';
import { ComparePage } from './compare/page.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Navigated, useNavigation } from './navigation.tsx';
import { Page } from './page.tsx';
import { RunPage } from './run/index.tsx';
import { RunsPage } from './runs/index.tsx';
import { SchedulesPage } from './schedules/index.tsx';
import { apiPath, serverSource, useAnswer } from './server.ts';
import { SourceContext } from './source.ts';

/** Interval of reloading the list, in milliseconds. */
const LIST_MS = 4000;

const RUNS = { page: 'runs', list: WHOLE_LIST } as const;

export function ViewApp() {
  const source = useMemo(serverSource, []);
  return (
    <SourceContext.Provider value={source}>
      <Navigated home={RUNS}>
        <Views />
      </Navigated>
    </SourceContext.Provider>
  );
}

function Views() {
  const { place, linkTo } = useNavigation();
  const { route } = place;
  const list = useAnswer<RunList>(apiPath('runs'), route.page === 'runs' ? LIST_MS : null);
  const logDir = list.loading.kind === 'ready' ? list.loading.value.logDir : null;
  const isSchedules = route.page === 'schedules';
  return (
    <>
      <Page
        brand={
          <a class="brand" href={linkTo(RUNS)}>
            <span aria-hidden="true">τ</span> Tauflow
          </a>
        }
        linksName="Views"
        links={[
          { name: 'Runs', route: RUNS, isCurrent: !isSchedules },
          { name: 'Schedules', route: { page: 'schedules', schedule: null }, isCurrent: isSchedules },
        ]}
        fact={
          logDir === null ? null : (
            <span class="page-fact log-dir small muted clip" title={logDir}>
              <span class="unseen">Log folder: </span>
              <bdi>{logDir}</bdi>
            </span>
          )
        }
      >
        {route.page === 'runs' ? <RunsPage list={list} filters={route.list} /> : null}
        {route.page === 'compare' ? <ComparePage key={route.runs.join('\n')} ids={route.runs} /> : null}
        {isSchedules ? <SchedulesPage schedule={route.schedule} /> : null}
        {'run' in route ? <RunPage key={route.run} route={route} /> : null}
      </Page>
      <KeysHelp />
    </>
  );
}
