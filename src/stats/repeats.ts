/** What repeated trials of the same tasks tell: how much of a success lies with the task, and how much with luck. */

import { mean, sampleVariance } from 'simple-statistics';

/** Trials of one task that were run, and those that succeeded. */
export interface TaskCount {
  readonly trials: number;
  readonly successes: number;
}

/** Variance of a success, split into what differs from task to task and what differs between trials of one task. */
export interface VarianceSplit {
  /** Of the tasks' true success rates; an estimate below 0 is given as 0. */
  readonly betweenTasks: number;
  /** Mean over tasks of p(1−p), p the task's true success rate; in [0, 1/2]. */
  readonly betweenTrials: number;
  /** Share of the whole that lies between tasks, in [0, 1]; null without any variance. */
  readonly taskShare: number | null;
}

export interface FlipRate {
  /** Tasks with at least two trials. */
  readonly tasks: number;
  /** Of these, tasks that were solved in some trials and not in others. */
  readonly flipped: number;
  /** `flipped / tasks`; null without such tasks. */
  readonly rate: number | null;
  /** The chance that two trials of a task disagree, mean over these tasks. */
  readonly disagreement: number | null;
}

/**
 * The one-way random-effects model by the method of moments. With c successes in n trials of a task, c(n−c)/(n(n−1)) is
 * an unbiased estimate of the task's p(1−p); its mean over tasks is the variance between trials. The variance of the
 * observed rates c/n is, in expectation, that of the true ones plus the mean of p(1−p)/n, which is taken off it. (For
 * equal n this is the analysis of variance: Searle, Casella and McCulloch, Variance Components, 1992, §3.6.)
 *
 * @returns null for fewer than two tasks with two trials; tasks with one trial tell nothing of it and are left out
 */
export function splitVariance(counts: readonly TaskCount[]): VarianceSplit | null {
  const repeated = counts.filter(isRepeated);
  if (repeated.length < 2) return null;
  const rates = repeated.map(({ trials, successes }) => successes / trials);
  const within = repeated.map(varianceWithin);
  const noise = mean(repeated.map(({ trials }, index) => (within[index] ?? 0) / trials));
  const betweenTasks = Math.max(0, sampleVariance(rates) - noise);
  const betweenTrials = mean(within);
  const whole = betweenTasks + betweenTrials;
  return { betweenTasks, betweenTrials, taskShare: whole === 0 ? null : betweenTasks / whole };
}

/** Two different trials of a task disagree with the chance 2·c(n−c)/(n(n−1)): one is a success, and the other is not. */
export function flipRate(counts: readonly TaskCount[]): FlipRate {
  const repeated = counts.filter(isRepeated);
  const tasks = repeated.length;
  const flipped = repeated.filter(({ trials, successes }) => successes > 0 && successes < trials).length;
  return {
    tasks,
    flipped,
    rate: tasks === 0 ? null : flipped / tasks,
    disagreement: tasks === 0 ? null : mean(repeated.map((count) => 2 * varianceWithin(count))),
  };
}

function isRepeated({ trials }: TaskCount): boolean {
  return trials >= 2;
}

function varianceWithin({ trials, successes }: TaskCount): number {
  return (successes * (trials - successes)) / (trials * (trials - 1));
}
