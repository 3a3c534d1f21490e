/** A run of the log folder: the views of a report, with additional facts from the server. */

import { useMemo } from 'preact/hooks';
import type { EpisodeNote, LiveRun } from '../../data/api.ts';
import { WHOLE_LIST, formatEpisodeKey, type Route } from '../address.ts';
import { useKeys, useNavigation } from '../navigation.tsx';
import { NotesContext, OpenContext, usedLabels, type OpenRow } from '../notes.ts';
import { Crumbs } from '../parts.tsx';
import { RunViews, type RunParts } from '../run-views.tsx';
import { Answered, useTitle } from '../answers.tsx';
import { OpenConversation } from '../live/conversation.tsx';
import { LivePanel } from '../live/panel.tsx';
import { episodePath } from '../server.ts';
import { NoteEditor } from './note-editor.tsx';
import { Requests, type EpisodeProps } from './requests.tsx';
import { useRun, type ShownRun } from './use-run.ts';
import { nameEpisode } from '../words.ts';

type RunRoute = Extract<Route, { readonly run: string }>;

export function RunPage({ route }: { readonly route: RunRoute }) {
  const used = useRun(route.run);
  useTitle(formatTitle(route));
  const open = useOpen(used.loading.kind === 'ready' ? used.loading.value.live : null);
  return (
    <Answered asked={used} what="run">
      {(shown) => (
        <NotesContext.Provider value={shown.notes}>
          <OpenContext.Provider value={open}>
            {route.page === 'run' ? <Around sweepUrl={shown.sweepUrl} /> : null}
            <RunViews run={shown.run} route={route} parts={createParts(shown, used.setNote)} />
          </OpenContext.Provider>
        </NotesContext.Provider>
      )}
    </Answered>
  );
}

function formatTitle(route: RunRoute): string {
  if (route.page === 'run') return route.run;
  return `${route.page === 'task' ? `task ${route.taskId}` : nameEpisode(route)} · ${route.run}`;
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

/** Returns the open episodes; the same list as long as the same episodes are in progress. */
function useOpen(live: LiveRun | null): readonly OpenRow[] {
  const open = live?.open ?? [];
  return useMemo(() => open, [open.map(formatEpisodeKey).join(' ')]);
}

function createParts({ id, live, notes }: ShownRun, setNote: (note: EpisodeNote) => void): RunParts {
  return {
    overview: () => (live?.status === 'running' ? <LivePanel id={id} live={live} /> : null),
    episodeHead: (episode) => <Downloads id={id} episode={episode} />,
    episodeSide: (episode, { hasRequests }) => (
      <>
        <NoteEditor
          key={formatEpisodeKey(episode)}
          id={id}
          episode={episode}
          note={notes.get(formatEpisodeKey(episode))}
          suggestions={usedLabels(notes)}
          onSave={setNote}
        />
        {hasRequests ? <Requests id={id} episode={episode} /> : null}
      </>
    ),
    unrecorded: (episode) => <OpenConversation key={formatEpisodeKey(episode)} id={id} episode={episode} live={live} />,
  };
}

function Downloads({ id, episode }: EpisodeProps) {
  const path = episodePath(id, episode);
  const name = `${id}.${nameEpisode({ ...episode, taskName: undefined }, '.').replaceAll(' ', '-')}`;
  return (
    <p class="row">
      <a class="button" href={`${path}.json`} download={`${name}.json`}>
        Download JSON
      </a>
      <a class="button" href={`${path}.md`} download={`${name}.md`}>
        Download Markdown
      </a>
    </p>
  );
}
