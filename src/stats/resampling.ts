/**
 * Resampling with a seed: bootstrap intervals of means, and the paired permutation test. Equal seeds give equal figures on
 * every machine, so that a report can be reproduced to the last digit.
 *
 * **Bootstrap.** Tasks are drawn with replacement, each with all its trials. Trials of one task are not independent, so the
 * unit is the task, not the episode; with a difference per task the bootstrap is paired, so that what makes a task hard for
 * both runs cancels out (Miller, Adding Error Bars to Evals, arXiv 2411.00640, on clustered and paired questions). The
 * bounds are bias-corrected and accelerated (BCa: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987), which follow
 * a skewed sample where plain percentiles do not: a benchmark's differences are mostly zeros.
 *
 * **Paired permutation test.** Without a difference between the runs, each task's difference could as well have the other
 * sign. The p-value is the share of all assignments of signs whose mean is as far from zero as the observed one (Fisher, The
 * Design of Experiments, 1935, §21). Exact for any distribution that is symmetric about zero; with one trial per task it is
 * McNemar's exact test. simple-statistics has a permutation test of two independent samples, which would lose the pairing.
 */

import { mean, quantileSorted, sampleSkewness } from 'simple-statistics';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { normalCdf, normalQuantile, type Interval } from './proportions.ts';

export interface BootstrapOptions {
  /** Number of resamples. @default 10000 */
  readonly resamples?: number;
  /** Seed; equal seeds and values give equal intervals. @default 'tauflow' */
  readonly seed?: string;
}

/**
 * Returns the interval of the mean of one value per task, such as a difference. Equal values give an interval without
 * width, which does not mean certainty.
 *
 * @param values one per task, in an order that does not depend on how they were read
 * @returns null for fewer than two tasks, which have no spread
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions = {}): Interval | null {
  const { resamples = 10_000, seed = 'tauflow' } = options;
  if (values.length < 2) return null;
  const kinds = [...new Set(values)];
  const kindOf = Uint32Array.from(values, (value) => kinds.indexOf(value));
  const drawn = drawTasks(kindOf, kinds.length, resamples, seed);
  return bcaInterval(values, resampledMeans(kinds, drawn, values.length));
}

/** @param means means of the resamples, ascending */
function bcaInterval(values: readonly number[], means: readonly number[]): Interval {
  const bias = estimateBias(means, mean(values));
  const acceleration = estimateAcceleration(values);
  const bound = (p: number): number => {
    const z = bias + normalQuantile(p);
    return quantileSorted(means, normalCdf(bias + z / (1 - acceleration * z)));
  };
  return { low: bound(0.025), high: bound(0.975), level: 0.95 };
}

/**
 * Draws the number of tasks of each kind in each resample, resample by resample. Tasks with equal values are of one kind, so that
 * a draw costs one addition.
 */
function drawTasks(kindOf: Uint32Array, kinds: number, resamples: number, seed: string): Uint32Array {
  const draw = createDraw(seed);
  const tasks = kindOf.length;
  const drawn = new Uint32Array(resamples * kinds);
  for (let start = 0; start < drawn.length; start += kinds) {
    for (let i = 0; i < tasks; i++) {
      const at = start + (kindOf[draw(tasks)] ?? 0);
      drawn[at] = (drawn[at] ?? 0) + 1;
    }
  }
  return drawn;
}

/** Returns the means of the resamples, ascending. @param values one value per kind */
function resampledMeans(values: readonly number[], drawn: Uint32Array, tasks: number): number[] {
  const means = new Float64Array(drawn.length / values.length);
  for (let resample = 0, at = 0; resample < means.length; resample++) {
    let sum = 0;
    for (const value of values) sum += value * (drawn[at++] ?? 0);
    means[resample] = sum / tasks;
  }
  return Array.from(means.sort());
}

/** Returns the distance of the estimate from the resamples' median, as a normal quantile; ties are counted half. */
function estimateBias(means: readonly number[], estimate: number): number {
  // Sums of the same numbers in another order differ in their last bits.
  const tie = 1e-9;
  let below = 0;
  for (const value of means) {
    if (value < estimate - tie) below += 1;
    else if (value <= estimate + tie) below += 0.5;
  }
  // If all of a few resamples are on one side, the bias is limited to that of twice as many, so that it is not
  // infinite.
  const least = 0.5 / means.length;
  return normalQuantile(Math.min(Math.max(below / means.length, least), 1 - least));
}

/** Returns the jackknife's measure of skewness: for a mean, the values' own skewness over 6√n; 0 without any spread. */
function estimateAcceleration(values: readonly number[]): number {
  // Two values are never skewed, and the library asks for three.
  if (values.length < 3 || values.every((value) => Math.abs(value - (values[0] ?? 0)) < 1e-9)) return 0;
  return sampleSkewness(values, true) / (6 * Math.sqrt(values.length));
}

export interface SignFlip {
  /** Two-sided p-value, in (0, 1]. */
  readonly p: number;
  readonly method: 'exact' | 'monte_carlo';
  /** Number of random assignments of signs; 0 if the p-value is exact. */
  readonly resamples: number;
}

interface SignFlipOptions {
  /** Two values are never skewed, and the library requires three. */
  readonly seed?: string;
  /** Number of random assignments. @default 100000 */
  readonly resamples?: number;
}

/** @param differences one difference per task; zeros have no effect */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions = {}): SignFlip {
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const seen = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const exact = exactShare(sizes, seen);
  if (exact !== null) return { p: exact, method: 'exact', resamples: 0 };
  const { seed = 'tauflow', resamples = 100_000 } = options;
  return { p: drawnShare(sizes, seen, seed, resamples), method: 'monte_carlo', resamples };
}

/** Most additions, which take well under a second. */
const MOST_STEPS = 2e7;

/**
 * Computes p from the distribution of the sum, built up task by task, if all differences are multiples of one unit, as
 * differences of means over a few trials are. Otherwise goes through all assignments, if they are few.
 *
 * @returns null if both would take too long
 */
function exactShare(sizes: readonly number[], seen: number): number | null {
  const unit = findUnit(sizes);
  if (unit !== null) {
    const steps = sizes.map((size) => Math.round(size / unit));
    const range = steps.reduce((sum, step) => sum + step, 0);
    if (range * steps.length <= MOST_STEPS) return shareBySums(steps, range, Math.round(seen / unit));
  }
  return sizes.length <= 20 ? shareByEnumeration(sizes, seen) : null;
}

/**
 * Returns the largest 1/s, s ≤ 840, of which all sizes are multiples; null if there is none. Every number of trials up
 * to 8 divides 840.
 */
function findUnit(sizes: readonly number[]): number | null {
  for (let scale = 1; scale <= 840; scale++) {
    if (sizes.every((size) => Math.abs(size * scale - Math.round(size * scale)) < 1e-9 * scale)) return 1 / scale;
  }
  return null;
}

/**
 * Returns the share of both tails: S = 2P − range, with P the sum of the positive differences; P is in a tail if |S| ≥
 * seen.
 */
function shareBySums(steps: readonly number[], range: number, seen: number): number {
  const chance = new Float64Array(range + 1);
  chance[0] = 1;
  let reached = 0;
  for (const step of steps) {
    reached += step;
    for (let sum = reached; sum >= 0; sum--) {
      chance[sum] = ((chance[sum] ?? 0) + (sum >= step ? (chance[sum - step] ?? 0) : 0)) / 2;
    }
  }
  if (seen === 0) return 1;
  let tail = 0;
  for (let sum = range; 2 * sum - range >= seen; sum--) tail += chance[sum] ?? 0;
  return atMostOne(2 * tail);
}

function shareByEnumeration(sizes: readonly number[], seen: number): number {
  let extreme = 0;
  const go = (index: number, sum: number): void => {
    const size = sizes[index];
    if (size === undefined) {
      if (isAsFar(sum, seen)) extreme += 1;
      return;
    }
    go(index + 1, sum + size);
    go(index + 1, sum - size);
  };
  go(0, 0);
  return extreme / 2 ** sizes.length;
}

/**
 * Returns the share of random assignments in both tails. The observed assignment is one of them, so that p is never 0
 * (Phipson and Smyth, SAGMB 9, 2010).
 */
function drawnShare(sizes: readonly number[], seen: number, seed: string, resamples: number): number {
  const draw = createDraw(seed);
  let extreme = 0;
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (const size of sizes) sum += draw(2) === 0 ? size : -size;
    if (isAsFar(sum, seen)) extreme += 1;
  }
  return (extreme + 1) / (resamples + 1);
}

/** Numbers of successes and trials of one task in two runs. */
export interface PairedCount {
  readonly successesBefore: number;
  readonly trialsBefore: number;
  readonly successesAfter: number;
  readonly trialsAfter: number;
}

/**
 * Tests the difference of the tasks' mean rates by dealing each task's trials to the two runs at random, as many to
 * each as it has (hypergeometric). It is right for agents that are equally good at every task, also if the runs have
 * different numbers of trials. The sign-flip test is not, because a mean of one trial and a mean of eight move in steps
 * of different size. The result is exact, or by the normal approximation for designs so large that the difference is
 * negligible.
 *
 * @returns a two-sided p in (0, 1]
 */
export function dealTest(tasks: readonly PairedCount[]): number {
  const seen = Math.abs(
    tasks.reduce(
      (sum, task) => sum + task.successesAfter / task.trialsAfter - task.successesBefore / task.trialsBefore,
      0,
    ),
  );
  const deals = tasks.map(listDeals);
  const unit = findUnit(tasks.flatMap(({ trialsBefore, trialsAfter }) => [1 / trialsBefore, 1 / trialsAfter]));
  const range = unit === null ? Infinity : Math.round(tasks.length / unit);
  if (unit !== null && range * tasks.length <= MOST_STEPS) {
    return shareOfDeals(deals, unit, range, seen);
  }
  const variance = deals.flat().reduce((sum, { difference, chance }) => sum + chance * difference ** 2, 0);
  return atMostOne(2 * normalCdf(-seen / Math.sqrt(variance)));
}

interface Deal {
  readonly difference: number;
  readonly chance: number;
}

/** Lists the ways to deal one task's trials, by the later run's number of successes. */
function listDeals({ successesBefore, trialsBefore, successesAfter, trialsAfter }: PairedCount): Deal[] {
  const all = successesBefore + successesAfter;
  const least = Math.max(0, all - trialsBefore);
  const most = Math.min(all, trialsAfter);
  let weight = 1;
  const weights = Array.from({ length: most - least + 1 }, (_, index) => {
    const after = least + index;
    const given = { difference: after / trialsAfter - (all - after) / trialsBefore, chance: weight };
    weight *= ((trialsAfter - after) * (all - after)) / ((after + 1) * (trialsBefore - all + after + 1));
    return given;
  });
  const sum = weights.reduce((total, { chance }) => total + chance, 0);
  return weights.map(({ difference, chance }) => ({ difference, chance: chance / sum }));
}

/** Returns the share of both tails of the sum of the differences, built up task by task. */
function shareOfDeals(tasks: readonly (readonly Deal[])[], unit: number, range: number, seen: number): number {
  let chances = new Float64Array(2 * range + 1);
  chances[range] = 1;
  for (const deals of tasks) {
    const next = new Float64Array(chances.length);
    for (const { difference, chance } of deals) {
      const step = Math.round(difference / unit);
      for (let at = Math.max(0, step); at < Math.min(next.length, next.length + step); at++) {
        next[at] = (next[at] ?? 0) + chance * (chances[at - step] ?? 0);
      }
    }
    chances = next;
  }
  let share = 0;
  for (const [at, chance] of chances.entries()) if (isAsFar((at - range) * unit, seen)) share += chance;
  // Rounded, so that swapping the two runs gives the same p, whatever the order of the sums.
  return atMostOne(Number(share.toPrecision(12)));
}

/**
 * True if a sum is as large as the observed one. Sums of the same numbers in different orders differ in their last
 * bits.
 */
function isAsFar(sum: number, seen: number): boolean {
  return Math.abs(sum) >= seen - 1e-9;
}

/**
 * Limits p to at most 1, which rounding may exceed. A probability below 2^-1074 is not 0, although no double can
 * represent it.
 */
function atMostOne(p: number): number {
  return Math.max(Number.MIN_VALUE, Math.min(1, p));
}

/** Draws a whole number from 0 to `count − 1`. @param count at most 2^32 */
type Draw = (count: number) => number;

export function createDraw(seed: string): Draw {
  const generator = xoroshiro128plus(hash(seed));
  // Scales instead of using the library's uniformInt, which rejects and divides, because resampling draws millions. The
  // remaining unevenness is below count / 2^32.
  return (count) => Math.floor(((generator.next() >>> 0) * count) / 0x1_0000_0000);
}

/** Hashes by FNV-1a, because the generator needs a 32-bit seed. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}
