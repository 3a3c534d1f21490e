/** Tasks by stability over trials (always, never or sometimes solved) and by cost. Pure. */

import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { isScored, isSuccess, spread } from '../../../results/metrics/index.ts';
import { groupBy } from '../words.ts';
import { percent } from './words.ts';
import { formatUsd, formatAmount } from '../../../results/document/index.ts';

interface TaskTrials {
  readonly taskId: number;
  /** Scored episodes in order of trial; at least one. */
  readonly episodes: readonly PayloadEpisode[];
  /** Episode to open: the first failed one, otherwise the first one. */
  readonly toRead: PayloadEpisode;
  readonly successes: number;
  /** Successes over scored episodes, in [0, 1]. */
  readonly passRate: number;
  /** Mean cost in USD over the episodes with a known cost; null if there are none. */
  readonly meanCostUsd: number | null;
}

/** Groups the scored episodes by task, ascending. */
function groupTasks(episodes: readonly PayloadEpisode[]): TaskTrials[] {
  const byTask = groupBy(episodes.filter(isScored), ({ taskId }) => taskId);
  return [...byTask.values()].map(toTaskTrials).sort((a, b) => a.taskId - b.taskId);
}

function toTaskTrials(unsorted: [PayloadEpisode, ...PayloadEpisode[]]): TaskTrials {
  const episodes = unsorted.sort((a, b) => a.trial - b.trial);
  const successes = episodes.filter(({ reward }) => isSuccess(reward)).length;
  const costs = episodes.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return {
    taskId: episodes[0].taskId,
    episodes,
    toRead: episodes.find(({ reward }) => !isSuccess(reward)) ?? episodes[0],
    successes,
    passRate: successes / episodes.length,
    meanCostUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
  };
}

export type Stability = 'always' | 'sometimes' | 'never';

export interface RankedTask extends Pick<TaskTrials, 'taskId' | 'successes' | 'passRate'> {
  /** Place in the order, from 0. */
  readonly rank: number;
  readonly trials: number;
  readonly stability: Stability;
  /** Episode that a click opens. */
  readonly episode: PayloadEpisode;
}

/** Sorts tasks by pass rate, the highest first; ties by task. */
export function rankedTasks(episodes: readonly PayloadEpisode[]): RankedTask[] {
  return groupTasks(episodes)
    .sort((a, b) => b.passRate - a.passRate || a.taskId - b.taskId)
    .map((task, rank) => ({
      taskId: task.taskId,
      rank,
      successes: task.successes,
      trials: task.episodes.length,
      passRate: task.passRate,
      stability: toStability(task.passRate),
      episode: task.toRead,
    }));
}

function toStability(passRate: number): Stability {
  if (passRate === 1) return 'always';
  return passRate === 0 ? 'never' : 'sometimes';
}

/** Neighboring tasks of one kind; `from` and `to` are ranks, `to` excluded. */
export interface StabilityRange {
  readonly stability: Stability;
  readonly from: number;
  readonly to: number;
}

export function stabilityRanges(tasks: readonly RankedTask[]): StabilityRange[] {
  return (['always', 'sometimes', 'never'] as const).flatMap((stability) => {
    const ranks = tasks.filter((task) => task.stability === stability).map(({ rank }) => rank);
    const [from, to] = [ranks.at(0), ranks.at(-1)];
    return from === undefined || to === undefined ? [] : [{ stability, from, to: to + 1 }];
  });
}

export function stabilitySentence(tasks: readonly RankedTask[]): string {
  if (tasks.length === 0) return 'No episode has a score yet.';
  if (tasks.every(({ trials }) => trials < 2))
    return 'Every task has one trial, which cannot separate luck from skill.';
  const words = stabilityRanges(tasks).map(({ stability, from, to }) => {
    const part = `${String(to - from)} (${percent((to - from) / tasks.length)})`;
    return `${part} ${stability === 'sometimes' ? 'in some trials and not in others' : stability}`;
  });
  return `Of ${formatAmount(tasks.length, 'task')}, solved: ${words.join(', ')}.`;
}

/** Returns null if the sources of the variance are unknown. */
export function varianceSentence({ variance, flips }: PayloadRun['metrics']['uncertainty']): string | null {
  if (variance === null || variance.taskShare === null) return null;
  const share = percent(variance.taskShare);
  const flip =
    flips.disagreement === null
      ? ''
      : ` Two trials of a task disagree with a chance of ${percent(flips.disagreement)}.`;
  return `${share} of the variance lies between tasks, ${percent(1 - variance.taskShare)} between trials of one task.${flip}`;
}

export interface CostedTask extends Pick<RankedTask, 'taskId' | 'episode' | 'passRate' | 'trials'> {
  /** Mean cost of the task's episodes, in USD. */
  readonly costUsd: number;
}

export interface CostedEpisode {
  readonly episode: PayloadEpisode;
  readonly costUsd: number;
  readonly isSolved: boolean;
}

interface CostScore {
  readonly tasks: readonly CostedTask[];
  readonly episodes: readonly CostedEpisode[];
  /** Number of scored episodes with an unknown cost. */
  readonly unknown: number;
  /** Reason why there is nothing to draw; null otherwise. */
  readonly reason: string | null;
}

export function costScore(all: readonly PayloadEpisode[]): CostScore {
  const scored = all.filter(isScored);
  const episodes = scored.flatMap((episode) => {
    const { costUsd, reward } = episode;
    return costUsd === null ? [] : [{ episode, costUsd, isSolved: isSuccess(reward) }];
  });
  const tasks = groupTasks(all).flatMap(({ taskId, toRead, meanCostUsd, passRate, episodes: trials }) =>
    meanCostUsd === null ? [] : [{ taskId, episode: toRead, costUsd: meanCostUsd, passRate, trials: trials.length }],
  );
  return { tasks, episodes, unknown: scored.length - episodes.length, reason: reasonNotTo(episodes) };
}

function reasonNotTo(episodes: readonly CostedEpisode[]): string | null {
  if (episodes.length === 0) return 'Costs are not known: the source does not say them, or the models have no price.';
  return episodes.every(({ costUsd }) => costUsd === 0) ? 'Every episode cost nothing.' : null;
}

export function costSentence({ episodes, unknown, reason }: CostScore): string {
  if (reason !== null) return reason;
  const median = (isSolved: boolean) =>
    spread(episodes.filter((episode) => episode.isSolved === isSolved).map(({ costUsd }) => costUsd))?.median ?? null;
  const [solved, failed] = [median(true), median(false)];
  const sides = [
    ...(solved === null ? [] : [`a solved episode costs ${formatUsd(solved)} (median)`]),
    ...(failed === null ? [] : [`a failed one ${formatUsd(failed)}`]),
  ];
  const lacking =
    unknown === 0
      ? ''
      : `; the cost of ${formatAmount(unknown, 'episode')} (${percent(unknown / (unknown + episodes.length))}) is not known`;
  const text = `${sides.join(', ')}${lacking}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns an offset in (−1, 1) that keeps points apart, always the same for an index: fractional parts of multiples of
 * the golden ratio spread evenly.
 */
export function jitter(index: number): number {
  return ((index * 0.618033988749895) % 1) * 2 - 1;
}
