/** The page as a whole: the head that is always there, and the view that the address names. */

import { useMemo } from 'preact/hooks';
import type { Payload, PayloadEpisode } from '../results/page/index.ts';
import { CompareView } from './compare/index.tsx';
import { EpisodePage } from './episode/episode-page.tsx';
import { matching } from './filters.ts';
import { Overview } from './overview/overview.tsx';
import { Navigated, useNavigation } from './place.tsx';
import type { Route } from './route.ts';
import { useSearch } from './search.ts';
import { TaskPage } from './task/task-page.tsx';
import { TopBar } from './top-bar.tsx';

export function App({ payload }: { readonly payload: Payload }) {
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
