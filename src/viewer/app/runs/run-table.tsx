/** The runs as a table, on a narrow screen as cards; only visible rows are in the document. */

import { useRef } from 'preact/hooks';
import { Badge, MiddleClip, ScoreTrack } from '../parts.tsx';
import { formatCount, formatShare, formatUsd } from '../../../results/document/index.ts';
import type { ListedRun } from '../../data/api.ts';
import type { ListFilters } from '../address.ts';
import { useNavigation } from '../navigation.tsx';
import { useMedia, useWindow } from '../window.ts';
import { spaceWords, type StatusText } from '../words.ts';
import { isSynthetic, COLUMNS, isAscending, findScore, findRunStatus, type ListColumn } from './data.ts';

interface RunTableProps {
  readonly runs: readonly ListedRun[];
  readonly filters: ListFilters;
  readonly picked: readonly string[];
  readonly onPick: (id: string) => void;
  readonly onSort: (order: Pick<ListFilters, 'sort' | 'isReversed'>) => void;
}

/** Heights of a row and of a card, as in the style. */
const ROW_PX = 58;
const CARD_PX = 148;

export function RunTable({ runs, filters, picked, onPick, onSort }: RunTableProps) {
  const isNarrow = useMedia('(max-width: 820px)');
  const rowHeight = isNarrow ? CARD_PX : ROW_PX;
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to } = useWindow(body, runs.length, rowHeight);
  return (
    // Without these roles browsers do not take cards for a table.
    <table class="panel runs" role="table" aria-label="Runs" aria-rowcount={runs.length + 1}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" style={{ width: '42px' }}>
            <span class="unseen">Compare</span>
          </th>
          {COLUMNS.map((column) => (
            <ColumnHead key={column.title} column={column} filters={filters} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body} role="rowgroup">
        <Spacer px={from * rowHeight} />
        {runs.slice(from, to).map((run, at) => (
          <Row key={run.id} run={run} index={from + at + 2} isPicked={picked.includes(run.id)} onPick={onPick} />
        ))}
        <Spacer px={(runs.length - to) * rowHeight} />
      </tbody>
    </table>
  );
}

/** Space for the rows that are not in the document. */
function Spacer({ px }: { readonly px: number }) {
  return px === 0 ? null : <tr class="spacer" aria-hidden="true" style={{ height: `${px}px` }} />;
}

interface ColumnHeadProps extends Pick<RunTableProps, 'filters' | 'onSort'> {
  readonly column: ListColumn;
}

function ColumnHead({ column: { title, sort, width, class: name }, filters, onSort }: ColumnHeadProps) {
  const isSorted = filters.sort === sort;
  const isUp = isAscending(filters);
  return (
    <th
      role="columnheader"
      scope="col"
      class={name}
      style={{ width }}
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => onSort({ sort, isReversed: isSorted && !filters.isReversed })}>
          {title}
          <span aria-hidden="true">{isSorted ? (isUp ? ' ↑' : ' ↓') : ''}</span>
        </button>
      )}
    </th>
  );
}

interface RowProps {
  readonly run: ListedRun;
  /** Number of the row from 1, including the head. */
  readonly index: number;
  readonly isPicked: boolean;
  readonly onPick: (id: string) => void;
}

function Row({ run, index, isPicked, onPick }: RowProps) {
  const { linkTo } = useNavigation();
  const { id, subject, episodes, errors, costUsd, schedule, baselines } = run;
  const { score, interval } = findScore(run);
  return (
    <tr role="row" aria-rowindex={index} class={isPicked ? 'run is-picked' : 'run'}>
      <td role="cell" class="run-pick" style={toGridArea('pick')}>
        <label>
          <input type="checkbox" checked={isPicked} onChange={() => onPick(id)} />
          <span class="unseen">Compare {id}</span>
        </label>
      </td>
      <th role="rowheader" scope="row" style={toGridArea('name')}>
        <a class="run-name" href={linkTo({ page: 'run', run: id })} title={id} aria-label={id}>
          <MiddleClip text={id} />
        </a>
        <span class="run-marks muted clip">
          {subject.env === null ? null : <span>{subject.env}</span>}
          {run.kind === 'file' ? <span>results file</span> : null}
          {isSynthetic(subject.notes) ? (
            <span class="tag" title="These are not tau-bench's tasks: its pack is synthetic">
              synthetic
            </span>
          ) : null}
          {schedule === null ? null : (
            <a href={linkTo({ page: 'schedules', schedule })} title={`Runs of the schedule ${schedule}`}>
              ⟳ {schedule}
            </a>
          )}
          {baselines.map((name) => (
            <span key={name} class="baseline" title="Baseline">
              ★ {name}
            </span>
          ))}
        </span>
      </th>
      <td role="cell" class="run-score number" style={toGridArea('score')}>
        {score === null ? (
          UNKNOWN
        ) : (
          <>
            <strong>{formatShare(score)}</strong>{' '}
            {subject.status === 'running' ? <span class="small muted">so far</span> : null}
            {interval === null ? null : (
              <span class="small muted">
                {formatShare(interval.low)}–{formatShare(interval.high)}
              </span>
            )}
            <ScoreTrack score={score} interval={interval} />
          </>
        )}
      </td>
      <td role="cell" data-name="episodes" class="number" style={toGridArea('episodes')}>
        {formatCount(episodes)}
        {subject.planned === null || subject.planned === episodes ? null : (
          <span class="muted"> / {formatCount(subject.planned)}</span>
        )}
      </td>
      <td
        role="cell"
        data-name="errors"
        class={errors === 0 ? 'number muted' : 'number has-errors'}
        style={toGridArea('errors')}
      >
        {formatCount(errors)}
      </td>
      <td role="cell" class="number" style={toGridArea('cost')}>
        {costUsd === null ? UNKNOWN : formatUsd(costUsd)}
      </td>
      <td role="cell" class="run-status" style={toGridArea('status')}>
        <RunStatus run={run} />
      </td>
      <td role="cell" class="is-third clip" title={subject.strategy ?? undefined}>
        {subject.strategy ?? UNKNOWN}
      </td>
      <td role="cell" class="run-model clip" style={toGridArea('model')} title={subject.agentModel ?? undefined}>
        {subject.agentModel ?? UNKNOWN}
      </td>
      <td role="cell" class="is-second number">
        {subject.startedAt === null ? (
          UNKNOWN
        ) : (
          <time dateTime={subject.startedAt} title={`${subject.startedAt.slice(0, 16).replace('T', ' ')} UTC`}>
            {subject.startedAt.slice(0, 10)} <span class="muted">{subject.startedAt.slice(11, 16)}</span>
          </time>
        )}
      </td>
    </tr>
  );
}

const UNKNOWN = <span class="muted">—</span>;

/** Returns the grid area of a cell in a card. */
function toGridArea(name: string) {
  return { '--area': name };
}

const STATUSES: Readonly<Record<string, Pick<StatusText, 'sign' | 'tone'>>> = {
  running: { sign: '▶', tone: 'accent' },
  paused: { sign: '⏸', tone: 'warn' },
  interrupted: { sign: '⋯', tone: 'warn' },
  terminated: { sign: '✗', tone: 'warn' },
  completed: { sign: '✓', tone: 'none' },
  incomplete: { sign: '⋯', tone: 'warn' },
  budget_reached: { sign: '$', tone: 'warn' },
  cancelled: { sign: '–', tone: 'none' },
  failed: { sign: '✗', tone: 'bad' },
};

function RunStatus({ run }: { readonly run: ListedRun }) {
  const status = findRunStatus(run);
  if (status === null) return UNKNOWN;
  const known = STATUSES[status] ?? { sign: '', tone: 'none' };
  const { reason = null, command = null } = run.state ?? {};
  const title = reason === null ? {} : { title: `${reason}; continue with: ${command ?? ''}` };
  return <Badge status={{ ...known, word: spaceWords(status) }} {...title} />;
}
