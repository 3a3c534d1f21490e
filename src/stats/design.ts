/**
 * Variance and power of a design: how much of the variance lies between tasks and between trials, and the trials or tasks
 * that a given difference takes. (`power.ts` has the minimum detectable effect.)
 *
 * **A planned comparison.** Two runs, A and B, over the same T tasks with n trials each. Let p_A(t) and p_B(t) be the
 * true success rates on task t and δ(t) = p_B(t) − p_A(t). Given the rates, the mean difference is a mean over T tasks
 * of differences of two means of n Bernoulli trials, so its variance is
 *
 *     1/T · mean over t of [p_A(1−p_A) + p_B(1−p_B)] / n  ≈  2·σ_w² / (n·T)
 *
 * where σ_w² = mean of p(1−p) is the variance between trials of a task, taken to be the same in both runs (true near
 * δ = 0). What makes tasks differ in difficulty is in both runs and cancels out. If the tasks stand for more tasks of
 * their kind, and the runs differ by more on some tasks than on others, the variance of δ(t) between tasks, σ_i² (the
 * interaction of task and system), adds σ_i²/T, which no number of trials makes smaller. A single run does not reveal
 * σ_i²: it is 0 unless given, so a figure without it is the best case for agents that differ in kind.
 */

import { mean, sampleStandardDeviation, sampleVariance } from 'simple-statistics';
import { LEAST_TASKS } from './power.ts';
import { normalQuantile } from './proportions.ts';

/** Returns the standard deviation of the differences, with n − 1; null for fewer than two. */
export function standardDeviation(values: readonly number[]): number | null {
  return values.length < 2 ? null : sampleStandardDeviation(values);
}

/** Two runs over the same tasks, as described above. */
export interface Plan {
  readonly tasks: number;
  /** σ_w²: variance of a success between trials of one task, in [0, 1/4]. */
  readonly betweenTrials: number;
  /** σ_i²: variance between tasks of the true difference. @default 0 */
  readonly interaction?: number;
}

/**
 * Returns the trials per task, in each run, that show `difference`: n = 2·σ_w² / (T·(difference/(t_{0.975} + t_{0.8}))²
 * − σ_i²), with quantiles of the t distribution with T − 1 degrees of freedom, because few tasks show less than many.
 *
 * @returns null if the number is not known or does not exist: the interaction alone hides the difference, or there are
 * too few tasks for any difference
 */
export function trialsToShow({ tasks, betweenTrials, interaction = 0 }: Plan, difference: number): number | null {
  if (tasks < LEAST_TASKS || betweenTrials === 0) return null;
  const left = tasks * (difference / quantiles(tasks - 1)) ** 2 - interaction;
  return left > 0 ? Math.max(1, Math.ceil((2 * betweenTrials) / left)) : null;
}

/**
 * Returns the number of tasks that show `difference`, given the standard deviation of the differences between runs on a
 * task.
 */
export function tasksToShow(spread: number, difference: number): number {
  return Math.max(LEAST_TASKS, Math.ceil((quantiles(Infinity) * (spread / difference)) ** 2));
}

/** Returns the sum of the quantiles of the test at the level 0.95, and of its power, 0.8. */
function quantiles(degrees: number): number {
  return studentQuantile(0.975, degrees) + studentQuantile(0.8, degrees);
}

/**
 * Returns a quantile of the t distribution, by Cornish and Fisher's expansion: exact to two digits from 5 degrees on.
 */
function studentQuantile(p: number, degrees: number): number {
  const z = normalQuantile(p);
  return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}

/** Numbers of trials and successes of a task. */
export interface TaskCount {
  readonly trials: number;
  readonly successes: number;
}

/** Variance of a success, split into what differs from task to task and what differs between trials of one task. */
export interface VarianceSplit {
  /** Variance of the tasks' true success rates; an estimate below 0 is given as 0. */
  readonly betweenTasks: number;
  /** Mean over tasks of p(1−p), p the task's true success rate; in [0, 1/2]. */
  readonly betweenTrials: number;
  /** Share of the whole variance that lies between tasks, in [0, 1]; null if there is no variance. */
  readonly taskShare: number | null;
}

export interface FlipRate {
  /** Number of tasks with at least two trials. */
  readonly tasks: number;
  /** Number of tasks that were solved in some trials and not in others. */
  readonly flipped: number;
  /** Share `flipped / tasks`; null if there are no such tasks. */
  readonly rate: number | null;
  /** Probability that two trials of a task disagree, mean over these tasks. */
  readonly disagreement: number | null;
}

/**
 * Splits the variance by the one-way random-effects model and the method of moments. With c successes in n trials of a task, c(n−c)/(n(n−1)) is
 * an unbiased estimate of the task's p(1−p); its mean over tasks is the variance between trials. The variance of the
 * observed rates c/n is, in expectation, that of the true ones plus the mean of p(1−p)/n, which is taken off it. (For
 * equal n this is the analysis of variance: Searle, Casella and McCulloch, Variance Components, 1992, §3.6.)
 *
 * @returns null for fewer than two tasks with two trials; tasks with one trial show nothing of it and are left out
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

/** Measures how often trials of a task disagree: two different ones do with probability 2·c(n−c)/(n(n−1)). */
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
