/** The views of one run: overview, tasks and episodes. */

import type { ComponentChildren } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { PayloadRun } from '../data/payload.ts';
import { formatEpisodeKey, filterEpisodes, type Route } from './address.ts';
import { EpisodePage, type EpisodeParts } from './episode/index.tsx';
import { useNavigation } from './navigation.tsx';
import { NotesContext, type OpenRow } from './notes.ts';
import { Overview } from './overview/index.tsx';
import { useSearch } from './source.ts';
import { TaskPage } from './task/index.tsx';

interface RunViewsProps {
  readonly run: PayloadRun;
  readonly route: Extract<Route, { readonly run: string }>;
  readonly parts?: RunParts;
}

/** Parts of the views that only a server has. */
export interface RunParts extends EpisodeParts {
  /** Returns a replacement of the overview's key figures; null: show the key figures. */
  readonly overview: () => ComponentChildren;
  /** Shows an episode without a record. */
  readonly unrecorded: (episode: OpenRow) => ComponentChildren;
}

export function RunViews({ run, route, parts }: RunViewsProps) {
  const { filters } = useNavigation().place;
  const search = useSearch(filters);
  const notes = useContext(NotesContext);
  const shown = useMemo(() => filterEpisodes(run, filters, search.found, notes), [run, filters, search.found, notes]);
  if (route.page === 'run') {
    return (
      <Overview run={run} shown={shown} search={search}>
        {parts?.overview()}
      </Overview>
    );
  }
  const { taskId } = route;
  const trials = run.episodes.filter((episode) => episode.taskId === taskId);
  if (route.page === 'task') return <TaskPage run={run} taskId={taskId} trials={trials} />;
  const episode = trials.find((each) => formatEpisodeKey(each) === formatEpisodeKey(route));
  if (episode === undefined) {
    return <>{parts?.unrecorded(route) ?? <p class="empty">There is no such episode in this report.</p>}</>;
  }
  return <EpisodePage run={run} episode={episode} trials={trials} shown={shown} step={route.step} parts={parts} />;
}
