/** Confidence intervals and variance of a run's figures, and the pairing of two runs task by task. Pure. */

import {
  boundedMeanInterval,
  minimumDetectableEffect,
  passHatOfTask,
  flipRate,
  splitVariance,
  trialsToShow,
  wilsonInterval,
  type FlipRate,
  type Interval,
  type Plan,
  type PlannedTask,
  type TaskCount,
  type VarianceSplit,
} from '../../stats/index.ts';
import { countPerTask, leavesErrorsOut, computePassHats, type PassHat, type TrialReward } from './pass-hat-k.ts';
import type { EpisodeRow } from '../../run-log/index.ts';

export interface PassHatInterval {
  readonly k: number;
  readonly value: number;
  /** Interval for a population of similar tasks; null for fewer than two tasks. */
  readonly interval: Interval | null;
}

interface TrialsNeeded {
  readonly difference: number;
  /** Number of trials per task in each of two runs; null: unknown. */
  readonly trials: number | null;
}

export interface Uncertainty {
  /** Wilson's interval of the share of successes, with every episode as an independent draw, as most tools print it. */
  readonly wilson: Interval | null;
  readonly passHatK: readonly PassHatInterval[];
  /** Split of the variance; null unless two tasks have two trials. */
  readonly variance: VarianceSplit | null;
  readonly flips: FlipRate;
  /**
   * The smallest difference from another such run that a paired comparison shows with 80 % power, if the agents differ
   * equally on every task. If `variance` is null, it is an upper bound, because all variance is then treated as
   * variance between trials. Null if nothing varied, or if no difference reaches that power.
   */
  readonly mde: number | null;
  /** Numbers of trials that would show given differences on these tasks; upper bounds if `variance` is null. */
  readonly trialsNeeded: readonly TrialsNeeded[];
}

const DIFFERENCES = [0.1, 0.05, 0.03];

export function measureUncertainty(rows: readonly TrialReward[]): Uncertainty {
  // Sorted, because figures must not depend on the order in which episodes ended.
  const counts = [...countPerTask(rows)].sort(([a], [b]) => a - b).map(([, count]) => count);
  const passHats = computePassHats(rows);
  const variance = splitVariance(counts);
  const plan = toPlan(counts.length, passHats, variance);
  return {
    wilson: episodeInterval(counts),
    passHatK: passHatIntervals(counts, passHats, leavesErrorsOut(rows[0])),
    variance,
    flips: flipRate(counts),
    mde: plan.betweenTrials === 0 ? null : minimumDetectableEffect(repeatedTasks(counts, variance)),
    trialsNeeded: DIFFERENCES.map((difference) => ({ difference, trials: trialsToShow(plan, difference) })),
  };
}

function episodeInterval(counts: readonly TaskCount[]): Interval | null {
  const draws = counts.reduce((sum, count) => sum + count.trials, 0);
  if (draws === 0) return null;
  const successes = counts.reduce((sum, count) => sum + count.successes, 0);
  return wilsonInterval(successes, draws);
}

/** @param isOwn true if n is a task's own number of trials */
function passHatIntervals(
  counts: readonly TaskCount[],
  passHats: readonly PassHat[],
  isOwn: boolean,
): PassHatInterval[] {
  const planned = passHats.length;
  return passHats.map(({ k, value }) => {
    const ofTasks = counts.map(({ trials, successes }) => passHatOfTask(successes, isOwn ? trials : planned, k));
    return { k, value, interval: boundedMeanInterval(ofTasks) };
  });
}

/** Plans another run like this one. Its variance between trials is at most the total variance, pass^1·(1 − pass^1). */
function toPlan(tasks: number, passHats: readonly PassHat[], variance: VarianceSplit | null): Plan {
  const rate = Math.min(1, passHats[0]?.value ?? 0);
  return { tasks, betweenTrials: variance === null ? rate * (1 - rate) : variance.betweenTrials };
}

/** Plans the tasks of a similar run. Observed rates vary more than true ones, so they are moved towards their mean. */
function repeatedTasks(counts: readonly TaskCount[], variance: VarianceSplit | null): PlannedTask[] {
  const rates = drawTogether(
    counts.map(({ trials, successes }) => successes / trials),
    variance?.betweenTasks ?? 0,
  );
  return counts.map(({ trials }, task) => {
    const rate = rates[task] ?? 0;
    return { before: rate, after: rate, trialsBefore: trials, trialsAfter: trials };
  });
}

/** Moves values toward their mean until their variance is at most the given one. */
export function drawTogether(values: readonly number[], variance: number): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const seen = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const factor = seen === 0 ? 0 : Math.sqrt(Math.min(1, variance / seen));
  return values.map((value) => mean + factor * (value - mean));
}

/** Mean rewards over a task's trials in the earlier and the later run. */
export interface TaskPair extends PlannedTask {
  readonly taskId: number;
}

interface Pairing {
  /** Pairs by task, ascending. */
  readonly pairs: readonly TaskPair[];
  /** Tasks that only one of the runs has. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
}

type PairedRow = Pick<EpisodeRow, 'taskId' | 'trial' | 'reward'>;

interface PairOptions {
  /** True if a missing trial is a failure, as in tau-bench's pass^k. @default false */
  readonly missingAsFailures?: boolean;
}

/** @param counts true for an episode to include; tasks without such an episode are left out */
export function pairTasks<Row extends PairedRow>(
  before: readonly Row[],
  after: readonly Row[],
  counts: (row: Row) => boolean,
  { missingAsFailures = false }: PairOptions = {},
): Pairing {
  const means = (rows: readonly Row[]) => meansByTask(rows.filter(counts), missingAsFailures);
  const [earlier, later] = [means(before), means(after)];
  const pairs: TaskPair[] = [];
  for (const [taskId, { mean, trials }] of earlier) {
    const other = later.get(taskId);
    if (other === undefined) continue;
    pairs.push({ taskId, before: mean, after: other.mean, trialsBefore: trials, trialsAfter: other.trials });
  }
  return {
    pairs: pairs.sort((a, b) => a.taskId - b.taskId),
    onlyBefore: keysNotIn(earlier, later),
    onlyAfter: keysNotIn(later, earlier),
  };
}

interface TaskMean {
  readonly mean: number;
  readonly trials: number;
}

function meansByTask(rows: readonly PairedRow[], missingAsFailures: boolean): Map<number, TaskMean> {
  const all = new Set(rows.map(({ trial }) => trial)).size;
  const sums = new Map<number, { sum: number; trials: number }>();
  for (const { taskId, reward } of rows) {
    const task = sums.get(taskId) ?? { sum: 0, trials: 0 };
    sums.set(taskId, { sum: task.sum + reward, trials: task.trials + 1 });
  }
  return new Map(
    [...sums].map(([taskId, { sum, trials }]) => [taskId, { mean: sum / (missingAsFailures ? all : trials), trials }]),
  );
}

function keysNotIn(tasks: ReadonlyMap<number, TaskMean>, others: ReadonlyMap<number, TaskMean>): number[] {
  return [...tasks.keys()].filter((taskId) => !others.has(taskId)).sort((a, b) => a - b);
}
