/** The body of `tauflow list`. */

import Table from 'cli-table3';
import { NONE, formatShare, formatUsd } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { RUN_ENDS } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { printJson } from '../print-report.ts';
import { styleOf } from '../terminal/style.ts';
import { listRuns, type ListedRun } from './runs.ts';
import type { StatusFlags } from './show.ts';

export interface ListFlags extends StatusFlags {
  readonly strategy?: string;
  readonly model?: string;
  readonly status?: string;
  readonly limit: string;
}

/** What a run's status can be. */
const STATUSES = ['running', ...RUN_ENDS, 'interrupted', 'terminated', 'timed_out'] as const;

export async function showRuns(flags: ListFlags, context: CliContext): Promise<void> {
  const { logDir, json, strategy, model, status } = flags;
  const limit = limitOf(flags);
  if (status !== undefined && !STATUSES.some((known) => known === status)) {
    throw new UsageError(`unknown --status "${status}"; there are: ${STATUSES.join(', ')}.`);
  }
  const all = await listRuns(logDir, { strategy, model }, context);
  const fitting = status === undefined ? all : all.filter((run) => run.status === status);
  const runs = fitting.slice(0, limit);
  if (json === true) {
    printJson(snakeKeys(runs.map(({ isLogged, ...run }) => ({ ...run, logged: isLogged }))), context);
    return;
  }
  if (runs.length === 0) {
    const isFiltered = (strategy ?? model ?? status) !== undefined;
    context.out(isFiltered ? 'no such runs' : `no runs in ${logDir}`);
    return;
  }
  context.out(renderRuns(runs, styleOf(context.stdout, context.env).columns));
  if (fitting.length > runs.length) context.out(`and ${fitting.length - runs.length} older ones; --limit shows more`);
  if (runs.some(({ isLogged }) => !isLogged)) context.out(`* known to the server only: its log is not in ${logDir}`);
}

function limitOf({ limit }: ListFlags): number {
  if (/^[1-9]\d*$/.test(limit)) return Number(limit);
  throw new UsageError('--limit must be a whole number of at least 1.');
}

interface Column {
  readonly head: string;
  readonly cell: (run: ListedRun) => string;
  readonly isNumber?: boolean;
}

const COLUMNS: readonly Column[] = [
  { head: 'run', cell: ({ runId, isLogged }) => `${runId}${isLogged ? '' : ' *'}` },
  { head: 'status', cell: ({ status, schedule }) => (schedule === null ? status : `${status} (${schedule})`) },
  { head: 'started', cell: ({ startedAt }) => startedAt.slice(0, 16).replace('T', ' ') },
  {
    head: 'episodes',
    cell: ({ episodes, planned }) => (episodes === null ? NONE : `${episodes}/${planned ?? NONE}`),
    isNumber: true,
  },
  { head: 'reward', cell: ({ averageReward }) => formatShare(averageReward), isNumber: true },
  { head: 'cost', cell: ({ costUsd }) => formatUsd(costUsd), isNumber: true },
  { head: 'agent', cell: ({ strategy, model }) => `${strategy ?? NONE}, ${model ?? NONE}` },
];

/** The agent's column goes where there is no room for it: run ids tell strategy and model as well. */
function renderRuns(runs: readonly ListedRun[], width: number): string {
  const texts = COLUMNS.map(({ head, cell }) => [head, ...runs.map(cell)]);
  const total = texts.reduce((sum, column) => sum + Math.max(...column.map(({ length }) => length)) + 3, 1);
  const columns = total <= width ? COLUMNS : COLUMNS.slice(0, -1);
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ isNumber }) => (isNumber === true ? 'right' : 'left')),
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  for (const run of runs) table.push(columns.map(({ cell }) => cell(run)));
  return table.toString();
}
