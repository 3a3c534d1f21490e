/**
 * pass^k as defined by the tau-bench paper (arXiv 2406.12045) and computed by its code: the chance that k independent
 * trials of a task all succeed, estimated without bias by C(c,k)/C(n,k) for c successes in n trials, averaged over
 * tasks. Some reports use the name for "success within k turns", the share of episodes that succeeded while the agent
 * spoke to the user at most k times, which grows with k.
 *
 * Sums run from left to right over the tasks in order of appearance, as in the reference, so figures agree to the last
 * bit.
 */

import { max, median, min } from 'simple-statistics';
import { passHatOfTask, type TaskCount } from '../../stats/index.ts';

export interface TrialReward {
  readonly taskId: number;
  readonly trial: number;
  readonly reward: number;
  /** The benchmark whose metrics include the row. @default tau-bench */
  readonly countedAs?: string;
}

/** The default benchmark of rows. */
export const TAU_BENCH = 'tau-bench';

/** True for metrics that leave out infrastructure errors and missing trials: all but tau-bench's. */
export function leavesErrorsOut({ countedAs = TAU_BENCH }: { readonly countedAs?: string | undefined } = {}): boolean {
  return countedAs !== TAU_BENCH;
}

export interface PassHat {
  readonly k: number;
  /** Value of the figure, in [0, 1]. */
  readonly value: number;
  /** Number of trials per task; null if tasks have different numbers. */
  readonly trials: number | null;
  /** Number of tasks in the mean. */
  readonly tasks: number;
}

/** True for a success: a reward of one, with the reference's tolerance. */
export function isSuccess(reward: number): boolean {
  return reward >= 1 - 1e-6 && reward <= 1 + 1e-6;
}

/** Formats whose mean gives each task the same weight, however many of its trials were graded. */
const MEANS_OF_TASKS: ReadonlySet<string | undefined> = new Set(['Inspect', 'Every Eval Ever']);

export function averageReward(rows: readonly TrialReward[]): number | null {
  if (rows.length === 0) return null;
  if (!MEANS_OF_TASKS.has(rows[0]?.countedAs)) return mean(rows.map(({ reward }) => reward));
  const tasks = new Map<number, number[]>();
  for (const { taskId, reward } of rows) tasks.set(taskId, [...(tasks.get(taskId) ?? []), reward]);
  return mean(Array.from(tasks.values(), mean));
}

/**
 * Returns the reference's figures for k = 1 … n, where n is the number of distinct trials of all tasks: a missing trial
 * is a failure, and a task with more successes than n can exceed one. With another benchmark's metrics, n is each task's
 * own number of trials, and k ends at the smallest.
 */
export function computePassHats(rows: readonly TrialReward[]): PassHat[] {
  if (leavesErrorsOut(rows[0])) {
    const fewest = Math.min(...[...countPerTask(rows).values()].map((count) => count.trials));
    return passHatKOwnTrials(rows).slice(0, fewest);
  }
  const trials = new Set(rows.map((row) => row.trial)).size;
  const successes = [...countPerTask(rows).values()].map((count) => count.successes);
  return upTo(trials, (k) => ({
    k,
    value: mean(successes.map((c) => passHatOfTask(c, trials, k))),
    trials,
    tasks: successes.length,
  }));
}

/**
 * Estimates pass^k with each task's own number of trials as n. The mean for k is over the tasks with k trials or more.
 */
export function passHatKOwnTrials(rows: readonly TrialReward[]): PassHat[] {
  return passHatKOfCounts([...countPerTask(rows).values()]);
}

function passHatKOfCounts(counts: readonly TaskCount[]): PassHat[] {
  const most = Math.max(0, ...counts.map((count) => count.trials));
  return upTo(most, (k) => {
    const enough = counts.filter((count) => count.trials >= k);
    const trials = new Set(enough.map((count) => count.trials));
    return {
      k,
      value: mean(enough.map((count) => passHatOfTask(count.successes, count.trials, k))),
      trials: trials.size === 1 ? ([...trials][0] ?? null) : null,
      tasks: enough.length,
    };
  });
}

/**
 * Computes {@link computePassHats} without some episodes. Only the left-out episodes reduce a task's n, so a missing trial is
 * still a failure.
 */
export function passHatKWithout<Row extends TrialReward>(
  rows: readonly Row[],
  isLeftOut: (row: Row) => boolean,
): PassHat[] {
  if (leavesErrorsOut(rows[0])) return computePassHats(rows.filter((row) => !isLeftOut(row)));
  const trials = new Set(rows.map((row) => row.trial)).size;
  const left = countPerTask(rows.filter(isLeftOut));
  const kept = countPerTask(rows.filter((row) => !isLeftOut(row)));
  return passHatKOfCounts(
    Array.from(countPerTask(rows).keys(), (taskId) => ({
      trials: trials - (left.get(taskId)?.trials ?? 0),
      successes: kept.get(taskId)?.successes ?? 0,
    })),
  );
}

/** Returns trials and successes by task, in order of first appearance. */
export function countPerTask(rows: readonly TrialReward[]): ReadonlyMap<number, TaskCount> {
  const counts = new Map<number, { trials: number; successes: number }>();
  for (const { taskId, reward } of rows) {
    const count = counts.get(taskId) ?? { trials: 0, successes: 0 };
    count.trials += 1;
    if (isSuccess(reward)) count.successes += 1;
    counts.set(taskId, count);
  }
  return counts;
}

function upTo<T>(last: number, make: (k: number) => T): T[] {
  return Array.from({ length: last }, (_, index) => make(index + 1));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

interface EpisodeTurns {
  readonly reward: number;
  /** Number of times that the agent spoke to the user; null: unknown. */
  readonly turns: number | null;
}

export interface TurnSuccess {
  /** Number of user turns. */
  readonly k: number;
  /** Share of all episodes that succeeded with at most k turns, in [0, 1]. */
  readonly within: number;
  /** Share of all episodes that succeeded with exactly k turns. */
  readonly exactly: number;
}

export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the shares for k = 0 up to the longest success, at least up to 4; none if the turns of a success are unknown.
 */
export function successWithinTurns(episodes: readonly EpisodeTurns[]): TurnSuccess[] {
  if (episodes.length === 0) return [];
  const turns = allKnown(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.turns));
  if (turns === null) return [];
  const last = turns.reduce((a, b) => Math.max(a, b), 4);
  const counts = Array.from({ length: last + 1 }, () => 0);
  for (const turn of turns) counts[turn] = (counts[turn] ?? 0) + 1;
  let soFar = 0;
  return counts.map((count, k) => {
    soFar += count;
    return { k, within: soFar / episodes.length, exactly: count / episodes.length };
  });
}

/** Returns the spread of values; null without a value, or if one is unknown. */
export function spreadOfAll(values: readonly (number | null)[]): Spread | null {
  return spread(allKnown(values) ?? []);
}

/** Returns the spread of the known values; null if there are none. */
export function spreadOfKnown(values: readonly (number | null)[]): Spread | null {
  return spread(values.filter((value) => value !== null));
}

function allKnown(values: readonly (number | null)[]): number[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}

export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const numbers = [...values];
  return { mean: mean(numbers), median: median(numbers), min: min(numbers), max: max(numbers) };
}
