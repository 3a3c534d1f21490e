/** The filtered episodes, as a grid of signs and as a list. */

import type { RefObject } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { Cell, EpisodeBadges, NoteBadges, OpenCell } from '../parts.tsx';
import { NotesContext, OpenContext, type OpenRow } from '../notes.ts';
import { useNavigation, useRunRoutes } from '../navigation.tsx';
import { useMedia, useWidth, useWindow } from '../window.ts';
import { STATUSES, formatExtent, formatTaskTitle, groupBy, nameEpisode, toEpisodeStatus } from '../words.ts';
import { FAULT_KINDS } from '../../../analysis/index.ts';
import { isFiltered, formatEpisodeKey } from '../address.ts';

interface GridProps {
  readonly run: PayloadRun;
  /** Filtered episodes; the other trials of their tasks are faint. */
  readonly shown: readonly PayloadEpisode[];
}

/** A grid of all episodes: a group for each task with a filtered episode, with its trials in order. */
export function Grid({ run, shown }: GridProps) {
  const { place } = useNavigation();
  const open = useContext(OpenContext);
  // Episodes in progress cannot be filtered.
  const others = isFiltered(place.filters) ? NONE : open;
  const tasks = useMemo(() => byTask(run.episodes, others), [run, others]);
  const defects = useMemo(() => defectsByTask(run), [run]);
  const visible = useMemo(() => new Set(shown), [shown]);
  const groups = useMemo(
    () => [...tasks].filter(([, trials]) => trials.some((trial) => !isEnded(trial) || visible.has(trial))),
    [tasks, visible],
  );
  const list = useRef<HTMLUListElement>(null);
  const cells = Math.min(MAX_CELLS, countMost(tasks.values()));
  const { columns, lineHeight } = useGridLines(list, groups.length, cells, countMost(tasks.values()));
  const lines = Math.ceil(groups.length / columns);
  const { from, to } = useWindow(list, lines, lineHeight);
  if (groups.length === 0) return null;
  const style = {
    '--columns': columns,
    '--height': `${String(lineHeight - LINE_GAP_PX)}px`,
    '--above': `${String(from * lineHeight)}px`,
    '--below': `${String((lines - to) * lineHeight)}px`,
  };
  return (
    <>
      <Key run={run} hasDefects={defects.size > 0} />
      <ul class="panel grid" ref={list} style={style} aria-label={`${groups.length} tasks`}>
        {groups.slice(from * columns, to * columns).map(([taskId, trials]) => (
          <TaskCells key={taskId} taskId={taskId} trials={trials} visible={visible} defect={defects.get(taskId)} />
        ))}
      </ul>
    </>
  );
}

interface TaskCellsProps {
  readonly taskId: number;
  readonly trials: readonly (PayloadEpisode | OpenRow)[];
  readonly visible: ReadonlySet<PayloadEpisode>;
  /** Known defect of the task; undefined: none. */
  readonly defect: string | undefined;
}

function TaskCells({ taskId, trials, visible, defect }: TaskCellsProps) {
  const { linkTo } = useNavigation();
  const { task } = useRunRoutes();
  const name = formatTaskTitle({ taskId, taskName: trials[0]?.taskName });
  return (
    <li>
      <a
        class={`grid-task small ${defect === undefined ? 'muted' : 'has-defect'}`}
        href={linkTo(task(taskId))}
        aria-label={`task ${name}: trials side by side${defect === undefined ? '' : `; ${defect}`}`}
        title={defect === undefined ? `Task ${name}: trials side by side` : defect}
      >
        {taskId}
      </a>
      <span class="row cells">
        {trials.map((episode) =>
          isEnded(episode) ? (
            <Cell key={formatEpisodeKey(episode)} episode={episode} isFaint={!visible.has(episode)} />
          ) : (
            <OpenCell key={`open ${formatEpisodeKey(episode)}`} episode={episode} />
          ),
        )}
      </span>
    </li>
  );
}

/** Size of a cell, as in the style. */
const CELL_PX = 27;
const LABEL_PX = 50;
const LINE_GAP_PX = 6;
const COLUMN_GAP_PX = 14;
const PADDING_PX = 32;

/** Returns the number of tasks in a line, and the height of a line with its gap. */
function useGridLines(list: RefObject<HTMLElement | null>, groups: number, cells: number, trials: number) {
  const width = useWidth(list, groups > 0);
  const inner = width - PADDING_PX + COLUMN_GAP_PX;
  const columns = Math.max(1, Math.floor(inner / (LABEL_PX + cells * CELL_PX + COLUMN_GAP_PX)));
  const wrapped = Math.ceil(trials / cells);
  return { columns, lineHeight: wrapped * CELL_PX - 3 + LINE_GAP_PX };
}

/** Most trials in a line of a group. */
const MAX_CELLS = 8;

function countMost(groups: Iterable<readonly unknown[]>): number {
  return Math.max(1, ...Array.from(groups, (group) => group.length));
}

/** Legend of the signs in the grid. */
function Key({ run, hasDefects }: { readonly run: PayloadRun; readonly hasDefects: boolean }) {
  const notes = useContext(NotesContext);
  const occurring = new Set(run.episodes.map((episode) => toEpisodeStatus(episode).sign));
  return (
    <ul class="row small muted grid-key" aria-label="Signs">
      {STATUSES.filter(({ sign }) => occurring.has(sign)).map(({ sign, word, tone }) => (
        <li key={word}>
          <span class={`cell is-${tone}`} aria-hidden="true">
            {sign}
          </span>{' '}
          {word}
        </li>
      ))}
      {notes.size === 0 ? null : (
        <li>
          <span class="cell is-none has-note" aria-hidden="true" /> note
        </li>
      )}
      {run.episodes.some(({ isSuspect }) => isSuspect) ? (
        <li>
          <span class="cell is-none is-suspect" aria-hidden="true" /> suspect user
        </li>
      ) : null}
      {hasDefects ? (
        <li>
          <span class="has-defect" aria-hidden="true" />
          task with a known defect
        </li>
      ) : null}
    </ul>
  );
}

const NONE: readonly OpenRow[] = [];

function isEnded(episode: PayloadEpisode | OpenRow): episode is PayloadEpisode {
  return 'outcome' in episode;
}

/** Groups episodes by task. An episode in progress is shown as such even if it has an earlier record. */
function byTask(ended: readonly PayloadEpisode[], open: readonly OpenRow[]): Map<number, (PayloadEpisode | OpenRow)[]> {
  const episodes = new Map<string, PayloadEpisode | OpenRow>(
    ended.map((episode) => [formatEpisodeKey(episode), episode]),
  );
  for (const episode of open) {
    const { taskId, taskName, trial, condition } = episode;
    episodes.set(formatEpisodeKey(episode), { taskId, taskName, trial, condition });
  }
  const sorted = [...episodes.values()].sort(
    (a, b) => a.taskId - b.taskId || (a.condition ?? '').localeCompare(b.condition ?? '') || a.trial - b.trial,
  );
  return groupBy(sorted, ({ taskId }) => taskId);
}

function defectsByTask({ notes }: PayloadRun): Map<number, string> {
  const lines = new Map<number, string>();
  for (const { taskId, severity, sentence } of notes?.defects ?? []) {
    const line = `Known defect (${severity}): ${sentence}`;
    const before = lines.get(taskId);
    lines.set(taskId, before === undefined ? line : `${before}\n${line}`);
  }
  return lines;
}

/** Height of a row, as in the style; narrow screens stack its parts. */
const ROW_PX = 42;
const NARROW_ROW_PX = 84;

interface EpisodeListProps {
  readonly shown: readonly PayloadEpisode[];
}

export function EpisodeList({ shown }: EpisodeListProps) {
  const { place } = useNavigation();
  const [isOpen, setOpen] = useState(isFiltered(place.filters));
  if (shown.length === 0) return <p class="empty">No episode matches the filters.</p>;
  if (!isOpen) {
    return (
      <button type="button" class="text-button" onClick={() => setOpen(true)}>
        Show as a list
      </button>
    );
  }
  return <Rows shown={shown} />;
}

function Rows({ shown }: EpisodeListProps) {
  const rowHeight = useMedia('(max-width: 640px)') ? NARROW_ROW_PX : ROW_PX;
  const list = useRef<HTMLOListElement>(null);
  const { from, to } = useWindow(list, shown.length, rowHeight);
  const padding = {
    '--above': `${String(from * rowHeight)}px`,
    '--below': `${String((shown.length - to) * rowHeight)}px`,
  };
  return (
    <ol class="panel episodes" ref={list} style={padding}>
      {shown.slice(from, to).map((episode, at) => (
        <Row key={formatEpisodeKey(episode)} episode={episode} position={from + at + 1} of={shown.length} />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly episode: PayloadEpisode;
  readonly position: number;
  readonly of: number;
}

function Row({ episode, position, of }: RowProps) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  const { faults, error } = episode;
  const [fault] = faults;
  const note = useContext(NotesContext).get(formatEpisodeKey(episode));
  const why = fault === undefined ? error : FAULT_KINDS[fault.kind];
  return (
    <li aria-posinset={position} aria-setsize={of}>
      <a href={linkTo(routes.episode(episode))}>
        <span class="episode-name">{nameEpisode(episode, ' · ')}</span>
        <EpisodeBadges episode={episode} />
        {note === undefined ? null : <NoteBadges note={note} />}
        <span class="episode-why small muted clip">{why}</span>
        <span class="small muted number">{formatExtent(episode)}</span>
      </a>
    </li>
  );
}
