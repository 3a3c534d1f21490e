/** A run of the log folder: the views that a report has of it, with what only the server knows. */

import type { Route } from '../../address.ts';
import { WHOLE_LIST } from '../../address.ts';
import { useKeys, useNavigation } from '../../navigation.tsx';
import { NotesContext } from '../../notes.ts';
import { RunViews, type RunParts } from '../../run-views.tsx';
import { Answered, useTitle } from '../answers.tsx';
import { Downloads } from './downloads.tsx';
import { useRun, type ShownRun } from './use-run.ts';

type RunRoute = Extract<Route, { readonly run: string }>;

export function RunPage({ route }: { readonly route: RunRoute }) {
  const used = useRun(route.run);
  useTitle(titleOf(route));
  return (
    <Answered asked={used} what="run">
      {(shown) => (
        <NotesContext.Provider value={shown.notes}>
          {route.page === 'run' ? <Up /> : null}
          <RunViews run={shown.run} route={route} parts={partsOf(shown)} />
        </NotesContext.Provider>
      )}
    </Answered>
  );
}

function titleOf(route: RunRoute): string {
  if (route.page === 'run') return route.run;
  const task = `task ${String(route.taskId)}`;
  return `${route.page === 'task' ? task : `${task}, trial ${String(route.trial)}`} · ${route.run}`;
}

function Up() {
  const { go, linkTo } = useNavigation();
  const up = { page: 'runs', list: WHOLE_LIST } as const;
  useKeys({ u: () => go(up) });
  return (
    <nav aria-label="Where this is" class="crumbs">
      <a href={linkTo(up)}>Runs</a>
    </nav>
  );
}

function partsOf({ id }: ShownRun): RunParts {
  return {
    overview: () => null,
    episodeHead: ({ taskId, trial }) => <Downloads id={id} taskId={taskId} trial={trial} />,
    episodeSide: () => null,
    unrecorded: (taskId, trial) => (
      <p class="empty">
        Task {taskId}, trial {trial} has no record yet.
      </p>
    ),
  };
}
