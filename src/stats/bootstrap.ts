/**
 * The interval of a mean difference by the paired bootstrap: tasks are drawn with replacement, each with its
 * difference, so that what makes a task hard for both runs cancels out. Trials of one task are not independent, hence
 * the task, not the episode, is the unit (Miller, Adding Error Bars to Evals, arXiv 2411.00640, on clustered and
 * paired questions).
 *
 * The bounds are bias-corrected and accelerated (BCa: Efron, Better Bootstrap Confidence Intervals, JASA 82, 1987),
 * which follow a skewed sample where plain percentiles do not: a benchmark's differences are mostly zeros.
 */

import { Random } from '../packs/generate/random.ts';
import { normalCdf, normalQuantile } from './normal.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Such as 0.95. */
  readonly level: number;
}

export interface BootstrapOptions {
  /** @default 10000 */
  readonly resamples?: number;
  /** @default 0.95 */
  readonly level?: number;
  /** Equal seeds and differences give equal intervals. @default 'tauflow' */
  readonly seed?: string;
}

/**
 * @param differences one a task, in an order that does not depend on how they were read
 * @returns null for fewer than two tasks: one task has no spread
 */
export function bootstrapInterval(differences: readonly number[], options: BootstrapOptions = {}): Interval | null {
  const { resamples = 10_000, level = 0.95, seed = 'tauflow' } = options;
  if (differences.length < 2) return null;
  const estimate = mean(differences);
  const means = resampledMeans(differences, resamples, new Random(seed));
  const bias = biasOf(means, estimate);
  const acceleration = accelerationOf(differences, estimate);
  const bound = (p: number): number => {
    const z = bias + normalQuantile(p);
    return quantile(means, normalCdf(bias + z / (1 - acceleration * z)));
  };
  const tail = (1 - level) / 2;
  return { low: bound(tail), high: bound(1 - tail), level };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Ascending. */
function resampledMeans(values: readonly number[], count: number, random: Random): Float64Array {
  const n = values.length;
  const means = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += values[Math.floor(random.next() * n)] ?? 0;
    means[i] = sum / n;
  }
  return means.sort();
}

/** How far the estimate is from the resamples' median, as a normal quantile; ties count half. */
function biasOf(means: Float64Array, estimate: number): number {
  // Sums of the same numbers in another order differ in their last bits.
  const tie = 1e-9;
  let below = 0;
  for (const value of means) {
    if (value < estimate - tie) below += 1;
    else if (value <= estimate + tie) below += 0.5;
  }
  return normalQuantile(below / means.length);
}

/** The jackknife's measure of skewness; for a mean it has this closed form. 0 without any spread. */
function accelerationOf(values: readonly number[], estimate: number): number {
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    squares += (value - estimate) ** 2;
    cubes += (value - estimate) ** 3;
  }
  return squares < 1e-18 ? 0 : cubes / (6 * squares ** 1.5);
}

/** Between the two nearest ones in proportion. @param sorted ascending, not empty */
function quantile(sorted: Float64Array, p: number): number {
  const position = Math.min(Math.max(p, 0), 1) * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (high - low) * (position - below);
}
