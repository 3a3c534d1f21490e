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
import { drawTogether, isSuccess, type TaskPair, type TrialReward } from '../metrics/index.ts';

export interface Difference {
  readonly tasks: number;
  /** Tasks whose mean reward changed: only they distinguish the runs. */
  readonly changed: number;
  /** Mean over these tasks of the mean over a task's trials; null without any task. */
  readonly before: number | null;
  readonly after: number | null;
  /** `after − before`. */
  readonly delta: number | null;
  /** Interval of `delta`; null for fewer than two tasks, and where all differ by the same: resampling needs a spread. */
  readonly interval: Interval | null;
  /** The test that decides: tasks' differences with random signs; null without any task. Its p is at least {@link dealtP}. */
  readonly permutation: SignFlip | null;
  /** p of the test that deals a task's trials to the runs at random; null where every task has as many trials in both. */
  readonly dealtP: number | null;
  /** Standard deviation of the differences from task to task. */
  readonly standardDeviation: number | null;
  /** Minimum detectable effect: the smallest true difference that such runs show with 80 % power. */
  readonly mde: number | null;
  /** Null unless each task has one trial in both runs, and every reward is 0 or 1: then its p is the permutation test's. */
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

/** A reward between 0 and 1 counts as a share of a success, rounded over the task's trials. */
function countSuccesses({ before, after, trialsBefore, trialsAfter }: TaskPair): PairedCount {
  return {
    successesBefore: Math.round(before * trialsBefore),
    trialsBefore,
    successesAfter: Math.round(after * trialsAfter),
    trialsAfter,
  };
}

/** Rates of two runs like these that do not differ overall: their tasks spread as the true rates and differences do. */
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
  // Of a reward between it knows only solved and not solved, where the permutation test takes it as it is.
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

/** Significance level: the rate at which equal agents are called different, at most. */
export const SIGNIFICANCE = 0.05;

export type Decision = 'worse' | 'better' | 'no_difference';

/**
 * The paired permutation test over tasks decides: between equal agents either run could have had either result of a
 * task, so its error rate is what is promised, however the rewards are spread. The interval is for the size of the
 * difference. It comes from resampling, is right in about 95 of 100 cases, and may end a little to the other side of 0.
 *
 * @param p of the test, or what a correction for several tests has made of it; null where there was nothing to test
 */
export function decide(delta: number | null, p: number | null): Decision {
  if (delta === null || p === null || p >= SIGNIFICANCE) return 'no_difference';
  return delta < 0 ? 'worse' : 'better';
}

/** @returns a sentence where the interval alone would decide otherwise; null where it agrees */
export function explainDisagreement({ delta, permutation, interval, changed }: Difference): string | null {
  if (interval === null) return null;
  const leavesZeroOut = interval.low > 0 || interval.high < 0;
  const isShown = decide(delta, permutation?.p ?? null) !== 'no_difference';
  if (leavesZeroOut === isShown) return null;
  const tasks = changed === 1 ? 'the one task that changed' : `the ${String(changed)} tasks that changed`;
  return isShown
    ? `the interval contains 0, but the permutation test over ${tasks} decides, and shows a difference`
    : `the interval excludes 0, but the permutation test over ${tasks} decides, and shows none`;
}

export interface Settling {
  /** The true difference to show with 80 % power: the size of the observed one. */
  readonly difference: number;
  /**
   * A task, in each run, on the same tasks; null where no number of trials does, by these runs' own spread. The latter is
   * not said to people: it is an estimate so noisy that it comes out so for a third of the undecided pairs of equal agents.
   */
  readonly trials: number | null;
  /**
   * The range of `trials` in 95 of 100 draws of the tasks, for the spread is an estimate; `high` is null where more than
   * any number may be needed. null without `trials`.
   */
  readonly trialsRange: { readonly low: number; readonly high: number | null } | null;
  /** Tasks of the same kind with as many trials as now. */
  readonly tasks: number;
}

/** A smaller difference is not worth settling. */
const NEGLIGIBLE = 0.005;

/**
 * The spread of the tasks' differences is that of trials and that of the true differences from task to task
 * (`src/stats/design.ts`). Where tasks have one trial each the two cannot be separated, and all of it is taken for that
 * of trials, which is the best case.
 *
 * @returns null where the difference seen is next to none, or has no spread
 */
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

function trialsFor(pairs: readonly TaskPair[], difference: number): number | null {
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

/** @param whole variance of the differences from task to task */
function splitVariance(pairs: readonly TaskPair[], whole: number): { betweenTrials: number; interaction: number } {
  const repeated = pairs.filter(({ trialsBefore, trialsAfter }) => trialsBefore > 1 && trialsAfter > 1);
  if (repeated.length === 0) {
    // (whole / 2) in each run for every trial that there was.
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
 * Episodes of the same task and trial in both runs. It describes, and nothing is tested on it: McNemar's test takes
 * every pair for a draw of its own, but where one agent is better at some tasks and the other at others, all trials of
 * a task go the same way. Two agents that are equally good over all tasks it then calls different in 19 of 100 cases,
 * with four trials (docs/metrics.md). A test on the majority of a task's trials would not do either: to it 3 of 4 and
 * 4 of 4 are the same, it asks another question than the score does, and has no answer where two of four succeed.
 */
export interface TrialTable {
  readonly both: number;
  /** Solved by one of the runs only. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
}

/** null where the runs have no episode in common. */
export function countTrials(before: readonly TrialReward[], after: readonly TrialReward[]): TrialTable | null {
  const later = new Map(after.map((row) => [keyOf(row), isSuccess(row.reward)]));
  const pairs = before.flatMap((row) => {
    const solvedAfter = later.get(keyOf(row));
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

function keyOf({ taskId, trial }: TrialReward): string {
  return `${String(taskId)}/${String(trial)}`;
}
