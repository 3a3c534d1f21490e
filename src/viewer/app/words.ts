/** Words and signs for the status of an episode, in addition to its color. Pure. */

import type { PayloadEpisode } from '../data/payload.ts';
import { formatAmount, formatDuration, formatReward, formatUsd } from '../../results/document/index.ts';
import { isSuccess } from '../../results/metrics/index.ts';
import type { RowOutcome } from '../../run-log/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';

export interface StatusText {
  readonly sign: string;
  readonly word: string;
  /** Second part of a CSS class such as `is-good`. */
  readonly tone: 'good' | 'bad' | 'warn' | 'none' | 'accent';
}

const SOLVED: StatusText = { sign: '✓', word: 'solved', tone: 'good' };
const FAILED: StatusText = { sign: '✗', word: 'not solved', tone: 'bad' };

/** Statuses of other outcomes than a solved or failed task. */
const BY_OUTCOME: Readonly<Partial<Record<RowOutcome, StatusText>>> = {
  max_steps: { sign: '⋯', word: 'out of steps', tone: 'bad' },
  agent_error: { sign: '!', word: 'agent error', tone: 'bad' },
  infrastructure_error: { sign: '‼', word: 'infrastructure error', tone: 'warn' },
  error: { sign: '‼', word: 'error', tone: 'warn' },
  cancelled: { sign: '–', word: 'cancelled', tone: 'none' },
  decision_only: { sign: '·', word: 'decided only', tone: 'none' },
};

/** Statuses in the order of a legend. */
export const STATUSES: readonly StatusText[] = [SOLVED, FAILED, ...new Set(Object.values(BY_OUTCOME))];

export function toEpisodeStatus({ reward: points, outcome }: Pick<PayloadEpisode, 'reward' | 'outcome'>): StatusText {
  if (isSuccess(points)) return SOLVED;
  const status = BY_OUTCOME[outcome] ?? FAILED;
  return points > 0 ? { ...status, word: `${status.word}, reward ${formatReward(points)}` } : status;
}

/** Formats a task: `17`, or `17 (cancel)` if it has a name. */
export function formatTaskTitle({ taskId, taskName }: Pick<PayloadEpisode, 'taskId' | 'taskName'>): string {
  return taskName === undefined ? String(taskId) : `${taskId} (${taskName})`;
}

/** Names an episode: `task 17, trial 2`, `task 17, trial 2, tool-errors`. */
export function nameEpisode(episode: EpisodeKey & Pick<PayloadEpisode, 'taskName'>, mark = ', '): string {
  const { trial, condition } = episode;
  return [`task ${formatTaskTitle(episode)}`, `trial ${trial}`, ...(condition === undefined ? [] : [condition])].join(
    mark,
  );
}

/** Describes an episode: `task 17, trial 2: not solved; suspect user`. */
export function describeEpisodeStatus(episode: PayloadEpisode): string {
  const suspicion = episode.isSuspect ? '; suspect user' : '';
  return `${nameEpisode(episode)}: ${toEpisodeStatus(episode).word}${suspicion}`;
}

/** Formats steps, duration and cost, without unknown values: `12 steps · 42 s · $0.02`. */
export function formatExtent(
  episode: Pick<PayloadEpisode, 'steps' | 'durationMs' | 'costUsd'>,
  turns: number | null = null,
) {
  const { steps, durationMs, costUsd } = episode;
  return [
    ...(steps === null ? [] : [formatAmount(steps, 'step')]),
    ...(turns === null ? [] : [formatAmount(turns, 'turn')]),
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(costUsd === null ? [] : [formatUsd(costUsd)]),
  ].join(' · ');
}

/** Counts values, the most frequent first. */
export function tally<T extends string>(values: Iterable<T | null>): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** Groups items by key, in order of the keys' first appearance. */
export function groupBy<K, T>(items: Iterable<T>, toGroupKey: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = toGroupKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Replaces underscores: `wrong_argument` becomes `wrong argument`. */
export function spaceWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Replaces FastWorkflow's markers of fields by names: `[[ ## next_thought ## ]]` becomes `next thought:`. */
export function nameFields(text: string): string {
  return text
    .replace(/\[\[ ## completed ## \]\]/g, '')
    .replace(/\[\[ ## (\w{1,60}) ## \]\]/g, (_, name: string) => `${name.replaceAll('_', ' ')}:`)
    .trim();
}
