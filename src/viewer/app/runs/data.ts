/** Filter, order and columns of the list of runs. Pure. */

import type { ListedRun } from '../../data/api.ts';
import { splitQuery } from '../../data/words.ts';
import type { ListFilters, ListSort } from '../address.ts';

/** True for a synthetic pack, by the note of `formatSyntheticNote`. */
export function isSynthetic(notes: readonly string[]): boolean {
  return notes.some((note) => / is synthetic\./.test(note));
}

/** Returns the state from the server, otherwise the status from the log; null for a file. */
export function findRunStatus({ subject, state }: Pick<ListedRun, 'subject' | 'state'>): string | null {
  return state?.status ?? subject.status;
}

/** Returns the runs that pass the filters, in order. */
export function filterRuns(runs: readonly ListedRun[], { query, status, domain, sort, isReversed }: ListFilters) {
  const words = splitQuery(query);
  const shown = runs.filter(
    (run) =>
      (status === null || findRunStatus(run) === status) &&
      (domain === null || run.subject.env === domain) &&
      runHasWords(run, words),
  );
  return sortRuns(shown, sort, isReversed);
}

function runHasWords({ id, subject, schedule, baselines }: ListedRun, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { runId, env, split, strategy, label, agentModel, agentProvider, userModel, pack, variants } = subject;
  const facts = [id, runId, env, split, strategy, label, agentModel, agentProvider, userModel, pack, schedule];
  const text = [...facts, ...variants, ...baselines].filter(Boolean).join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Returns pass^1 with its interval; for a run in progress the share of solved episodes, because pass^1 counts missing
 * trials as failures.
 */
export function findScore({ subject, passHatK, interval, averageReward }: ListedRun): Pick<ListedRun, 'interval'> & {
  readonly score: number | null;
} {
  if (subject.status === 'running') return { score: averageReward, interval: null };
  return { score: passHatK[0] ?? null, interval };
}

type SortValue = string | number | null;

const VALUES: Readonly<Record<ListSort, (run: ListedRun) => SortValue>> = {
  started: ({ subject }) => subject.startedAt,
  run: ({ id }) => id,
  score: (run) => findScore(run).score,
  episodes: ({ episodes }) => episodes,
  errors: ({ errors }) => errors,
  cost: ({ costUsd }) => costUsd,
  strategy: ({ subject }) => subject.strategy,
  model: ({ subject }) => subject.agentModel,
};

/** True if the order is ascending, which is the default for names only. */
export function isAscending({ sort, isReversed }: Pick<ListFilters, 'sort' | 'isReversed'>): boolean {
  return ['run', 'strategy', 'model'].includes(sort) !== isReversed;
}

/** Sorts runs; unknown values come last in either order. */
function sortRuns(runs: readonly ListedRun[], sort: ListSort, isReversed: boolean): ListedRun[] {
  const valueOf = VALUES[sort];
  const direction = isAscending({ sort, isReversed }) ? 1 : -1;
  return [...runs].sort((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -direction : direction;
  });
}

export interface ListColumn {
  readonly title: string;
  /** Order that the column sorts by; undefined: not sortable. */
  readonly sort?: ListSort;
  /** CSS width of the column; undefined: the rest of the space. */
  readonly width?: string;
  /** Class of a column that narrower screens leave out. */
  readonly class?: 'is-second' | 'is-third';
}

export const COLUMNS: readonly ListColumn[] = [
  { title: 'Run', sort: 'run' },
  { title: 'pass^1', sort: 'score', width: '150px' },
  { title: 'Episodes', sort: 'episodes', width: '96px' },
  { title: 'Errors', sort: 'errors', width: '68px' },
  { title: 'Cost', sort: 'cost', width: '80px' },
  { title: 'Status', width: '136px' },
  { title: 'Strategy', sort: 'strategy', width: '120px', class: 'is-third' },
  { title: 'Model', sort: 'model', width: '116px' },
  { title: 'Started', sort: 'started', width: '146px', class: 'is-second' },
];
