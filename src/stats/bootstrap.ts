/**
 * Intervals of means by the bootstrap: tasks are drawn with replacement, each with all that its trials came to. Trials
 * of one task are not independent, hence the task, not the episode, is the unit; with a difference per task the
 * bootstrap is paired, so that what makes a task hard for both runs cancels out (Miller, Adding Error Bars to Evals,
 * arXiv 2411.00640, on clustered and paired questions).
 *
 * The bounds are bias-corrected and accelerated (BCa: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987),
 * which follow a skewed sample where plain percentiles do not: a benchmark's differences are mostly zeros.
 */

import { mean, quantileSorted, sampleSkewness } from 'simple-statistics';
import type { Interval } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { drawsFrom } from './random.ts';

export interface BootstrapOptions {
  /** @default 10000 */
  readonly resamples?: number;
  /** @default 0.95 */
  readonly level?: number;
  /** Equal seeds and values give equal intervals. @default 'tauflow' */
  readonly seed?: string;
}

/**
 * Of the mean of one value a task, such as a difference. Values without any spread give an interval of no width,
 * which says of them only that they are equal: whoever reads it as certainty boasts.
 *
 * @param values one a task, in an order that does not depend on how they were read
 * @returns null for fewer than two tasks: one task has no spread
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions = {}): Interval | null {
  return bootstrapIntervals([values], options)?.[0] ?? null;
}

/**
 * Of several means over the same tasks, such as pass^1 … pass^n: every resample is of tasks, and serves them all.
 *
 * @param statistics for each statistic one value a task, the tasks in one order
 * @returns an interval for each; null for fewer than two tasks
 */
export function bootstrapIntervals(
  statistics: readonly (readonly number[])[],
  options: BootstrapOptions = {},
): readonly Interval[] | null {
  const { resamples = 10_000, level = 0.95, seed = 'tauflow' } = options;
  if ((statistics[0]?.length ?? 0) < 2) return null;
  const { kinds, kindOf } = kindsOfTasks(statistics);
  const drawn = drawTasks(kindOf, kinds.length, resamples, seed);
  return statistics.map((values, statistic) => {
    const ofKinds = kinds.map((kind) => kind[statistic] ?? 0);
    return bcaInterval(values, resampledMeans(ofKinds, drawn, values.length), level);
  });
}

/** @param means the resamples', ascending */
function bcaInterval(values: readonly number[], means: readonly number[], level: number): Interval {
  const bias = biasOf(means, mean(values));
  const acceleration = accelerationOf(values);
  const bound = (p: number): number => {
    const z = bias + normalQuantile(p);
    return quantileSorted(means, normalCdf(bias + z / (1 - acceleration * z)));
  };
  const tail = (1 - level) / 2;
  return { low: bound(tail), high: bound(1 - tail), level };
}

/**
 * Tasks with equal values are of one kind: of four trials there are five. A resample is told by how many tasks it has
 * of each, which costs one addition a draw, however many the statistics.
 */
function kindsOfTasks(statistics: readonly (readonly number[])[]) {
  const kinds: (readonly number[])[] = [];
  const indices = new Map<string, number>();
  const kindOf = (statistics[0] ?? []).map((_, task) => {
    const values = statistics.map((statistic) => statistic[task] ?? 0);
    const key = values.join(' ');
    const index = indices.get(key) ?? kinds.push(values) - 1;
    indices.set(key, index);
    return index;
  });
  return { kinds, kindOf: Uint32Array.from(kindOf) };
}

/** How many tasks of each kind are in each resample: one resample after the other. */
function drawTasks(kindOf: Uint32Array, kinds: number, resamples: number, seed: string): Uint32Array {
  const draw = drawsFrom(seed);
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

/** Ascending. @param values one a kind */
function resampledMeans(values: readonly number[], drawn: Uint32Array, tasks: number): number[] {
  const means = new Float64Array(drawn.length / values.length);
  for (let resample = 0, at = 0; resample < means.length; resample++) {
    let sum = 0;
    for (const value of values) sum += value * (drawn[at++] ?? 0);
    means[resample] = sum / tasks;
  }
  return Array.from(means.sort());
}

/** How far the estimate is from the resamples' median, as a normal quantile; ties count half. */
function biasOf(means: readonly number[], estimate: number): number {
  // Sums of the same numbers in another order differ in their last bits.
  const tie = 1e-9;
  let below = 0;
  for (const value of means) {
    if (value < estimate - tie) below += 1;
    else if (value <= estimate + tie) below += 0.5;
  }
  // A few resamples can all lie on one side; as one of twice as many they are no infinite bias.
  const least = 0.5 / means.length;
  return normalQuantile(Math.min(Math.max(below / means.length, least), 1 - least));
}

/** The jackknife's measure of skewness: for a mean, the values' own over 6√n. 0 without any spread. */
function accelerationOf(values: readonly number[]): number {
  // Two values are never skewed, and the library asks for three.
  if (values.length < 3 || values.every((value) => Math.abs(value - (values[0] ?? 0)) < 1e-9)) return 0;
  return sampleSkewness(values, true) / (6 * Math.sqrt(values.length));
}
