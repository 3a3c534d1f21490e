/** The episodes that the filters let through: as a grid of signs, and as a list. */

import { formatAmount } from '../../results/document/index.ts';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { Cell, NoteTags, OpenCell, StatusBadge, SuspectBadge } from '../parts.tsx';
import { NotesContext } from '../notes.ts';
import { OpenContext, type Open } from '../open.ts';
import { useNavigation } from '../navigation.tsx';
import { STATUSES, statusOf, extentOf } from '../words.ts';
import { FAULT_KINDS } from '../../analysis/index.ts';
import { isFiltered, keyOf, type RunKey } from '../address.ts';

interface GridProps {
  readonly run: PayloadRun;
  readonly runKey: RunKey;
  /** Other trials of their tasks are faint. */
  readonly shown: readonly PayloadEpisode[];
}

/** Every episode as one sign: a group per task, its trials in order; tasks that the filters leave out are not there. */
export function Grid({ run, runKey, shown }: GridProps) {
  const { linkTo, place } = useNavigation();
  const open = useContext(OpenContext);
  // Of what goes on, nothing is known that could be filtered by.
  const others = isFiltered(place.filters) ? NONE : open;
  const tasks = useMemo(() => byTask(run.episodes, others), [run, others]);
  const defects = useMemo(() => defectsByTask(run), [run]);
  const visible = new Set(shown);
  if (visible.size + others.length === 0) return null;
  return (
    <>
      <Key run={run} hasDefects={defects.size > 0} />
      <ul class="grid" style={{ '--cells': Math.min(MAX_CELLS, mostOf(tasks.values())) }}>
        {[...tasks].map(([taskId, trials]) => {
          if (!trials.some((trial) => !isEnded(trial) || visible.has(trial))) return null;
          const defect = defects.get(taskId);
          return (
            <li key={taskId}>
              <a
                class={defect === undefined ? 'grid-task' : 'grid-task has-defect'}
                href={linkTo({ page: 'task', run: runKey, taskId })}
                aria-label={`task ${String(taskId)}: trials side by side${defect === undefined ? '' : `; ${defect}`}`}
                title={defect === undefined ? `Task ${String(taskId)}: trials side by side` : defect}
              >
                {taskId}
              </a>
              <span class="grid-cells">
                {trials.map((episode) =>
                  isEnded(episode) ? (
                    <Cell key={episode.trial} run={runKey} episode={episode} isFaint={!visible.has(episode)} />
                  ) : (
                    <OpenCell key={`open ${String(episode.trial)}`} run={runKey} episode={episode} />
                  ),
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** More trials than these take another line. */
const MAX_CELLS = 8;

function mostOf(groups: Iterable<readonly unknown[]>): number {
  return Math.max(1, ...Array.from(groups, (group) => group.length));
}

/** Only what occurs. */
function Key({ run, hasDefects }: { readonly run: PayloadRun; readonly hasDefects: boolean }) {
  const notes = useContext(NotesContext);
  const occurring = new Set(run.episodes.map((episode) => statusOf(episode).sign));
  return (
    <ul class="grid-key" aria-label="Signs">
      {STATUSES.filter(({ sign }) => occurring.has(sign)).map(({ sign, word, tone }) => (
        <li key={word}>
          <span class={`cell is-${tone}`} aria-hidden="true">
            {sign}
          </span>
          {word}
        </li>
      ))}
      {notes.size === 0 ? null : (
        <li>
          <span class="cell is-none has-note" aria-hidden="true" />
          note
        </li>
      )}
      {run.episodes.some(({ isSuspect }) => isSuspect) ? (
        <li>
          <span class="cell is-none is-suspect" aria-hidden="true" />
          suspect user
        </li>
      ) : null}
      {hasDefects ? (
        <li>
          <span class="grid-task has-defect" aria-hidden="true" />
          task with a known defect
        </li>
      ) : null}
    </ul>
  );
}

const NONE: readonly Open[] = [];

function isEnded(episode: PayloadEpisode | Open): episode is PayloadEpisode {
  return 'outcome' in episode;
}

/** An episode that goes on is shown as such, also if it is one that runs again. */
function byTask(ended: readonly PayloadEpisode[], open: readonly Open[]): Map<number, (PayloadEpisode | Open)[]> {
  const episodes = new Map<string, PayloadEpisode | Open>(ended.map((episode) => [keyOf(episode), episode]));
  for (const episode of open) episodes.set(keyOf(episode), { taskId: episode.taskId, trial: episode.trial });
  const tasks = new Map<number, (PayloadEpisode | Open)[]>();
  for (const episode of [...episodes.values()].sort((a, b) => a.taskId - b.taskId || a.trial - b.trial)) {
    const trials = tasks.get(episode.taskId);
    if (trials === undefined) tasks.set(episode.taskId, [episode]);
    else trials.push(episode);
  }
  return tasks;
}

/** A line for each task with defects. */
function defectsByTask({ notes }: PayloadRun): Map<number, string> {
  const lines = new Map<number, string>();
  for (const { taskId, severity, sentence } of notes?.defects ?? []) {
    const line = `Known defect (${severity}): ${sentence}`;
    const before = lines.get(taskId);
    lines.set(taskId, before === undefined ? line : `${before}\n${line}`);
  }
  return lines;
}

/** Rows that are made at once. */
const PAGE = 50;

interface EpisodeListProps {
  readonly runKey: RunKey;
  readonly shown: readonly PayloadEpisode[];
}

export function EpisodeList({ runKey, shown }: EpisodeListProps) {
  const { place } = useNavigation();
  const [isOpen, setOpen] = useState(isFiltered(place.filters));
  const [rows, setRows] = useState(PAGE);
  if (shown.length === 0) return <p class="empty">No episode is like that.</p>;
  if (!isOpen) {
    return (
      <button type="button" class="text-button" onClick={() => setOpen(true)}>
        Show as a list
      </button>
    );
  }
  return (
    <>
      <ol class="episodes">
        {shown.slice(0, rows).map((episode) => (
          <Row key={`${String(episode.taskId)}/${String(episode.trial)}`} runKey={runKey} episode={episode} />
        ))}
      </ol>
      {shown.length > rows ? (
        <button type="button" class="text-button" onClick={() => setRows(rows + 10 * PAGE)}>
          Show more: {formatAmount(shown.length - rows, 'episode')} to come
        </button>
      ) : null}
    </>
  );
}

function Row({ runKey, episode }: { readonly runKey: RunKey; readonly episode: PayloadEpisode }) {
  const { linkTo } = useNavigation();
  const { taskId, trial, faults, error, isSuspect } = episode;
  const [fault] = faults;
  const note = useContext(NotesContext).get(keyOf(episode));
  const why = fault === undefined ? error : FAULT_KINDS[fault.kind];
  return (
    <li>
      <a href={linkTo({ page: 'episode', run: runKey, taskId, trial, step: null })}>
        <span class="episode-name">
          task {taskId} · trial {trial}
        </span>
        <StatusBadge episode={episode} />
        {isSuspect ? <SuspectBadge /> : null}
        {note === undefined ? null : <NoteTags note={note} />}
        <span class="episode-why">{why}</span>
        <span class="episode-figures">{extentOf(episode)}</span>
      </a>
    </li>
  );
}
