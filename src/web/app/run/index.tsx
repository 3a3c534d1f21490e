/** A run of the log folder: the views that a report has of it, with what only the server knows. */

import { useMemo } from 'preact/hooks';
import type { EpisodeNote, LiveRun } from '../../data/api.ts';
import { WHOLE_LIST, keyOf, type Route } from '../address.ts';
import { useKeys, useNavigation } from '../navigation.tsx';
import { NotesContext } from '../notes.ts';
import { OpenContext, type Open } from '../open.ts';
import { Crumbs } from '../parts.tsx';
import { RunViews, type RunParts } from '../run-views.tsx';
import { Answered, useTitle } from '../answers.tsx';
import { OpenConversation } from '../live/conversation.tsx';
import { LivePanel } from '../live/panel.tsx';
import { Downloads } from './downloads.tsx';
import { usedLabels } from './labels.ts';
import { NoteEditor } from './note-editor.tsx';
import { Requests } from './requests.tsx';
import { useRun, type ShownRun } from './use-run.ts';

type RunRoute = Extract<Route, { readonly run: string }>;

export function RunPage({ route }: { readonly route: RunRoute }) {
  const used = useRun(route.run);
  useTitle(titleOf(route));
  const open = useOpen(used.loading.kind === 'ready' ? used.loading.value.live : null);
  return (
    <Answered asked={used} what="run">
      {(shown) => (
        <NotesContext.Provider value={shown.notes}>
          <OpenContext.Provider value={open}>
            {route.page === 'run' ? <Around sweepUrl={shown.sweepUrl} /> : null}
            <RunViews run={shown.run} route={route} parts={partsOf(shown, used.setNote)} />
          </OpenContext.Provider>
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

function Around({ sweepUrl }: { readonly sweepUrl: string | null }) {
  const { go } = useNavigation();
  const up = { page: 'runs', list: WHOLE_LIST } as const;
  useKeys({ u: () => go(up) });
  return (
    <Crumbs up={[{ name: 'Runs', route: up }]}>
      {sweepUrl === null ? null : (
        <>
          {' · '}
          <a href={sweepUrl} target="_blank" rel="noreferrer">
            Sweep in Temporal UI ↗
          </a>
        </>
      )}
    </Crumbs>
  );
}

/** The same list as long as the same episodes go on. */
function useOpen(live: LiveRun | null): readonly Open[] {
  const open = live?.open ?? [];
  return useMemo(() => open, [open.map(keyOf).join(' ')]);
}

function partsOf({ id, live, notes }: ShownRun, setNote: (note: EpisodeNote) => void): RunParts {
  return {
    overview: () => (live?.status === 'running' ? <LivePanel id={id} live={live} /> : null),
    episodeHead: ({ taskId, trial }) => <Downloads id={id} taskId={taskId} trial={trial} />,
    episodeSide: (episode, { hasRequests }) => {
      const { taskId, trial } = episode;
      return (
        <>
          <NoteEditor
            key={keyOf(episode)}
            id={id}
            taskId={taskId}
            trial={trial}
            note={notes.get(keyOf(episode))}
            suggestions={usedLabels(notes)}
            onSave={setNote}
          />
          {hasRequests ? <Requests id={id} taskId={taskId} trial={trial} /> : null}
        </>
      );
    },
    unrecorded: (taskId, trial) => (
      <OpenConversation key={keyOf({ taskId, trial })} id={id} taskId={taskId} trial={trial} live={live} />
    ),
  };
}
