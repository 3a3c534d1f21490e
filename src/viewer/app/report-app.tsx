/** The report, whose data is in the page's file. */

import { useMemo } from 'preact/hooks';
import type { Payload, PayloadEpisode } from '../data/payload.ts';
import type { Route } from './address.ts';
import { CompareView } from './compare/index.tsx';
import { embeddedSource } from './embedded-source.ts';
import { Navigated, useNavigation } from './navigation.tsx';
import { Page, type PageLink } from './page.tsx';
import { RunViews } from './run-views.tsx';
import { SourceContext } from './source.ts';

export function ReportApp({ payload }: { readonly payload: Payload }) {
  const source = useMemo(() => embeddedSource(payload), [payload]);
  return (
    <SourceContext.Provider value={source}>
      <Navigated home={findHome(payload)}>
        <Views payload={payload} />
      </Navigated>
    </SourceContext.Provider>
  );
}

type ReportRoute = Exclude<Route, { readonly page: 'runs' | 'schedules' }>;

function findHome({ runs }: Payload): ReportRoute {
  return runs.length > 1 ? { page: 'compare', runs: [] } : { page: 'run', run: '0' };
}

function Views({ payload }: { readonly payload: Payload }) {
  const { place } = useNavigation();
  const { runs, asOf } = payload;
  const asked = place.route;
  const route = asked.page === 'runs' || asked.page === 'schedules' ? findHome(payload) : asked;
  const links = runs.map(({ subject }, at): PageLink => {
    const run = String(at);
    return {
      name: subject.runId,
      route: { page: 'run', run },
      isCurrent: route.page !== 'compare' && route.run === run,
    };
  });
  const compare: PageLink = {
    name: 'Compare',
    route: { page: 'compare', runs: [] },
    isCurrent: route.page === 'compare',
  };
  return (
    <Page
      brand={
        <span class="brand">
          <span aria-hidden="true">τ</span> Tauflow<span class="brand-rest muted"> report</span>
        </span>
      }
      linksName="Runs"
      links={runs.length > 1 ? [compare, ...links] : links}
      fact={
        asOf === null ? null : (
          <time class="page-fact small muted clip" dateTime={asOf} title={`The newest episode ended at ${asOf}`}>
            {asOf.slice(0, 10)}
          </time>
        )
      }
    >
      <View payload={payload} route={route} />
    </Page>
  );
}

function View({ payload, route }: { readonly payload: Payload; readonly route: ReportRoute }) {
  const { go } = useNavigation();
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
