/** Filter, order and columns of the list of runs. Pure. */

import type { ListedRun } from '../../data/api.ts';
import { wordsOf } from '../../data/words.ts';
import type { ListFilters, ListSort } from '../address.ts';

/** @returns true if the tasks are not tau-bench's; the note is that of `formatSyntheticNote` */
export function isSynthetic(notes: readonly string[]): boolean {
  return notes.some((note) => / is synthetic\./.test(note));
}

/** The state by its server, where that is known, else the status by the log; null for a file. */
export function statusOf({ subject, state }: Pick<ListedRun, 'subject' | 'state'>): string | null {
  return state?.status ?? subject.status;
}

/** Returns the runs that pass the filters, in order. */
export function listed(runs: readonly ListedRun[], { query, status, domain, sort, isReversed }: ListFilters) {
  const words = wordsOf(query);
  const shown = runs.filter(
    (run) =>
      (status === null || statusOf(run) === status) &&
      (domain === null || run.subject.env === domain) &&
      hasWords(run, words),
  );
  return inOrder(shown, sort, isReversed);
}

function hasWords({ id, subject, schedule, baselines }: ListedRun, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { runId, env, split, strategy, label, agentModel, agentProvider, userModel, pack, variants } = subject;
  const facts = [id, runId, env, split, strategy, label, agentModel, agentProvider, userModel, pack, schedule];
  const text = [...facts, ...variants, ...baselines].filter(Boolean).join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * pass^1 and its interval. Of a run in progress, the share of the episodes that have ended: pass^1 counts a trial that is
 * missing as a failure.
 */
export function scoreOf({ subject, passHatK, interval, averageReward }: ListedRun): Pick<ListedRun, 'interval'> & {
  readonly score: number | null;
} {
  if (subject.status === 'running') return { score: averageReward, interval: null };
  return { score: passHatK[0] ?? null, interval };
}

type Value = string | number | null;

const VALUES: Readonly<Record<ListSort, (run: ListedRun) => Value>> = {
  started: ({ subject }) => subject.startedAt,
  run: ({ id }) => id,
  score: (run) => scoreOf(run).score,
  episodes: ({ episodes }) => episodes,
  errors: ({ errors }) => errors,
  cost: ({ costUsd }) => costUsd,
  strategy: ({ subject }) => subject.strategy,
  model: ({ subject }) => subject.agentModel,
};

/** Returns the direction of an order: names begin with `a`, all else with the newest or the most. */
export function isAscending({ sort, isReversed }: Pick<ListFilters, 'sort' | 'isReversed'>): boolean {
  return ['run', 'strategy', 'model'].includes(sort) !== isReversed;
}

/** Unknown values come last in either order; equals stay as they are. */
function inOrder(runs: readonly ListedRun[], sort: ListSort, isReversed: boolean): ListedRun[] {
  const valueOf = VALUES[sort];
  const direction = isAscending({ sort, isReversed }) ? 1 : -1;
  return [...runs].sort((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -direction : direction;
  });
}

export interface Column {
  readonly title: string;
  /** undefined: it cannot be sorted by. */
  readonly sort?: ListSort;
  /** CSS; undefined: the rest. */
  readonly width?: string;
  /** Class of what narrower screens leave out. */
  readonly class?: 'is-second' | 'is-third';
}

export const COLUMNS: readonly Column[] = [
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
