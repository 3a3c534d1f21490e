/** The difference of two runs over their common tasks: its size, its test, its power. Pure. */

import { mean } from 'simple-statistics';
import {
  bootstrapInterval,
  createDraw,
  dealTest,
  minimumDetectableEffect,
  exactMcNemar,
  signFlipTest,
  standardDeviation,
  tasksToShow,
  trialsToShow,
  type BootstrapOptions,
  type Interval,
  type McNemar,
  type PairedCount,
  type PlannedTask,
  type SignFlip,
} from '../../stats/index.ts';
import { drawTogether, type TaskPair } from './uncertainty.ts';
import { isSuccess, type TrialReward } from './pass-hat-k.ts';

export interface Difference {
  readonly tasks: number;
  /** Number of tasks whose mean reward changed. */
  readonly changed: number;
  /** Mean over the tasks of each task's mean reward in the earlier run; null without a task. */
  readonly before: number | null;
  readonly after: number | null;
  /** Difference of the means, `after − before`. */
  readonly delta: number | null;
  /** Bootstrap interval of `delta`; null for fewer than two tasks, and if all differences are equal. */
  readonly interval: Interval | null;
  /** The test that decides: tasks' differences with random signs. Its p is at least `dealtP`; null without a task. */
  readonly permutation: SignFlip | null;
  /**
   * p of the test that assigns a task's trials to the runs at random; null if tasks have equally many trials in both.
   */
  readonly dealtP: number | null;
  /** Standard deviation of the tasks' differences. */
  readonly standardDeviation: number | null;
  /** Minimum detectable effect: the smallest true difference that such runs show with 80 % power. */
  readonly mde: number | null;
  /**
   * McNemar's test, with the same p as the permutation test; null unless each task has one trial, with reward 0 or 1.
   */
  readonly mcNemar: McNemar | null;
}

export function measureDifference(pairs: readonly TaskPair[], options: BootstrapOptions = {}): Difference {
  const differences = pairs.map(({ before, after }) => after - before);
  const isEmpty = pairs.length === 0;
  const spread = standardDeviation(differences);
  const signFlip = isEmpty ? null : signFlipTest(differences);
  const dealtP = pairs.some(({ trialsBefore, trialsAfter }) => trialsBefore !== trialsAfter)
    ? dealTest(pairs.map(countSuccesses))
    : null;
  return {
    tasks: pairs.length,
    changed: differences.filter((difference) => difference !== 0).length,
    before: isEmpty ? null : mean(pairs.map((pair) => pair.before)),
    after: isEmpty ? null : mean(pairs.map((pair) => pair.after)),
    delta: isEmpty ? null : mean(differences),
    interval: spread === 0 ? null : bootstrapInterval(differences, options),
    permutation: signFlip === null ? null : { ...signFlip, p: Math.max(signFlip.p, dealtP ?? 0) },
    dealtP,
    standardDeviation: spread,
    mde: spread === null || spread === 0 ? null : minimumDetectableEffect(planTasks(pairs), options.resamples),
    mcNemar: testByMcNemar(pairs),
  };
}

/** Rounds a task's sum of rewards to successes. */
function countSuccesses({ before, after, trialsBefore, trialsAfter }: TaskPair): PairedCount {
  return {
    successesBefore: Math.round(before * trialsBefore),
    trialsBefore,
    successesAfter: Math.round(after * trialsAfter),
    trialsAfter,
  };
}

/**
 * Plans two similar runs without an overall difference, with the same spread of the tasks' true rates and differences.
 */
function planTasks(pairs: readonly TaskPair[]): PlannedTask[] {
  const differences = pairs.map(({ before, after }) => after - before);
  const { betweenTrials, interaction } = splitVariance(pairs, (standardDeviation(differences) ?? 0) ** 2);
  const pooled = pairs.map(
    (pair) =>
      (pair.before * pair.trialsBefore + pair.after * pair.trialsAfter) / (pair.trialsBefore + pair.trialsAfter),
  );
  const rate = mean(pooled);
  const rates = drawTogether(pooled, Math.max(0, rate * (1 - rate) - betweenTrials));
  const own = drawTogether(differences, interaction).map((difference) => (difference - mean(differences)) / 2);
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  return pairs.map(({ trialsBefore, trialsAfter }, task) => {
    const [center, half] = [rates[task] ?? 0, own[task] ?? 0];
    return { before: clamp(center - half), after: clamp(center + half), trialsBefore, trialsAfter };
  });
}

function testByMcNemar(pairs: readonly TaskPair[]): McNemar | null {
  if (pairs.length === 0 || pairs.some((pair) => pair.trialsBefore !== 1 || pair.trialsAfter !== 1)) return null;
  if (pairs.some(({ before, after }) => !isZeroOrOne(before) || !isZeroOrOne(after))) return null;
  const solved = pairs.map((pair) => ({ before: isSuccess(pair.before), after: isSuccess(pair.after) }));
  return exactMcNemar(
    solved.filter(({ before, after }) => before && !after).length,
    solved.filter(({ before, after }) => after && !before).length,
  );
}

function isZeroOrOne(reward: number): boolean {
  return isSuccess(reward) || Math.abs(reward) <= 1e-6;
}

/** Significance level: the highest rate at which equal agents are found different. */
export const SIGNIFICANCE = 0.05;

export type Decision = 'worse' | 'better' | 'no_difference';

/**
 * Decides by the paired permutation test over tasks, because its error rate holds for any rewards. The bootstrap
 * interval is approximate and may disagree near 0.
 * @param p p-value, corrected for several tests; null if nothing was tested
 */
export function decideDifference(delta: number | null, p: number | null): Decision {
  if (delta === null || p === null || p >= SIGNIFICANCE) return 'no_difference';
  return delta < 0 ? 'worse' : 'better';
}

/** Explains an interval that disagrees with the test; null if it agrees. */
export function explainDisagreement({ delta, permutation, interval, changed }: Difference): string | null {
  if (interval === null) return null;
  const leavesZeroOut = interval.low > 0 || interval.high < 0;
  const isShown = decideDifference(delta, permutation?.p ?? null) !== 'no_difference';
  if (leavesZeroOut === isShown) return null;
  const tasks = changed === 1 ? 'the one task that changed' : `the ${String(changed)} tasks that changed`;
  return isShown
    ? `the interval contains 0, but the permutation test over ${tasks} decides, and shows a difference`
    : `the interval excludes 0, but the permutation test over ${tasks} decides, and shows none`;
}

export interface Settling {
  /** The observed difference, which the planned runs should show with 80 % power. */
  readonly difference: number;
  /**
   * Number of trials per task that each run needs on the same tasks; null if no number suffices. It is a noisy
   * estimate.
   */
  readonly trials: number | null;
  /** Bootstrap interval (95 %) of `trials`; `high` is null if no number may suffice. null if `trials` is null. */
  readonly trialsRange: { readonly low: number; readonly high: number | null } | null;
  /** Number of tasks of the same kind that the runs need, with the same number of trials. */
  readonly tasks: number;
}

/** Smallest difference for which more trials are planned. */
const NEGLIGIBLE = 0.005;

/** Plans runs that would show the observed difference; null if it is negligible, or has no spread. */
export function findSettling(pairs: readonly TaskPair[]): Settling | null {
  const differences = pairs.map(({ before, after }) => after - before);
  const spread = standardDeviation(differences);
  if (spread === null || spread === 0) return null;
  const difference = Math.abs(mean(differences));
  if (difference < NEGLIGIBLE) return null;
  const trials = trialsFor(pairs, difference);
  return {
    difference,
    trials,
    trialsRange: trials === null ? null : rangeOfTrials(pairs, difference),
    tasks: tasksToShow(spread, difference),
  };
}

/** Returns the trials per task in each run that would show a difference; null: no number would. */
export function trialsFor(pairs: readonly TaskPair[], difference: number): number | null {
  const whole = (standardDeviation(pairs.map(({ before, after }) => after - before)) ?? 0) ** 2;
  return trialsToShow({ tasks: pairs.length, ...splitVariance(pairs, whole) }, difference);
}

const RESAMPLES = 400;

function rangeOfTrials(pairs: readonly TaskPair[], difference: number): Settling['trialsRange'] {
  const draw = createDraw('trials');
  const found = Array.from({ length: RESAMPLES }, () => {
    const drawn = pairs.flatMap(() => pairs[draw(pairs.length)] ?? []);
    return trialsFor(drawn, difference) ?? Infinity;
  }).sort((a, b) => a - b);
  const [low = 1, high = Infinity] = [found[RESAMPLES * 0.025], found[RESAMPLES * 0.975 - 1]];
  return low === Infinity ? null : { low, high: high === Infinity ? null : high };
}

/**
 * Splits the variance of the tasks' differences into the part between trials and the part of the true differences
 * (`src/stats/design.ts`). With one trial per task, all variance is treated as variance between trials, which is the
 * best case.
 * @param whole variance of the tasks' differences
 */
function splitVariance(pairs: readonly TaskPair[], whole: number): { betweenTrials: number; interaction: number } {
  const repeated = pairs.filter(({ trialsBefore, trialsAfter }) => trialsBefore > 1 && trialsAfter > 1);
  if (repeated.length === 0) {
    // Each run contributes half of the variance, multiplied by the number of trials.
    const trials = mean(pairs.map(({ trialsBefore, trialsAfter }) => (trialsBefore + trialsAfter) / 2));
    return { betweenTrials: (whole * trials) / 2, interaction: 0 };
  }
  const unbiased = (p: number, trials: number) => (p * (1 - p) * trials) / (trials - 1);
  const within = repeated.map((pair) => ({
    before: unbiased(pair.before, pair.trialsBefore),
    after: unbiased(pair.after, pair.trialsAfter),
    trialsBefore: pair.trialsBefore,
    trialsAfter: pair.trialsAfter,
  }));
  const ofTrials = mean(within.map((task) => task.before / task.trialsBefore + task.after / task.trialsAfter));
  return {
    betweenTrials: mean(within.map((task) => (task.before + task.after) / 2)),
    interaction: Math.max(0, whole - ofTrials),
  };
}

/**
 * Counts of pairs of episodes of the same task and trial, by which runs solved them. There is no test on them:
 * McNemar's test needs independent pairs, and with four trials of a task it calls equally good agents different in 19
 * of 100 cases (docs/metrics.md).
 */
export interface TrialTable {
  readonly both: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
}

/** Returns the counts; null if the runs have no episode in common. */
export function countTrials(before: readonly TrialReward[], after: readonly TrialReward[]): TrialTable | null {
  const later = new Map(after.map((row) => [toTrialKey(row), isSuccess(row.reward)]));
  const pairs = before.flatMap((row) => {
    const solvedAfter = later.get(toTrialKey(row));
    return solvedAfter === undefined ? [] : [{ before: isSuccess(row.reward), after: solvedAfter }];
  });
  if (pairs.length === 0) return null;
  const count = (solvedBefore: boolean, solvedAfter: boolean) =>
    pairs.filter((pair) => pair.before === solvedBefore && pair.after === solvedAfter).length;
  return {
    both: count(true, true),
    onlyBefore: count(true, false),
    onlyAfter: count(false, true),
    neither: count(false, false),
  };
}

function toTrialKey({ taskId, trial }: TrialReward): string {
  return `${String(taskId)}/${String(trial)}`;
}
