/**
 * The paired permutation test: were there no difference, each task's difference could as well have had the other sign.
 * The p-value is the share of all assignments of signs that give a mean as far from zero as the one seen (Fisher, The
 * Design of Experiments, 1935, §21). Exact for whatever distribution is symmetric about zero; of one trial a task it is
 * McNemar's exact test.
 *
 * simple-statistics has a permutation test of two independent samples, which would throw the pairing away.
 */

import { drawsFrom } from './random.ts';

export interface SignFlip {
  /** Two-sided, in (0, 1]. */
  readonly p: number;
  readonly method: 'exact' | 'monte_carlo';
  /** Random assignments of signs; 0 where the answer is exact. */
  readonly resamples: number;
}

export interface SignFlipOptions {
  /** Of the random assignments. @default 'tauflow' */
  readonly seed?: string;
  /** @default 100000 */
  readonly resamples?: number;
}

/** @param differences one a task; zeros decide nothing */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions = {}): SignFlip {
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const seen = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const exact = exactShare(sizes, seen);
  if (exact !== null) return { p: exact, method: 'exact', resamples: 0 };
  const { seed = 'tauflow', resamples = 100_000 } = options;
  return { p: drawnShare(sizes, seen, seed, resamples), method: 'monte_carlo', resamples };
}

/** Additions that take well under a second. */
const MOST_STEPS = 2e7;

/**
 * By the distribution of the sum, built up task by task. That is possible where all differences are multiples of one
 * unit, as they are of means over a few trials; otherwise, where there are few, by going through all assignments.
 *
 * @returns null where both would take too long
 */
function exactShare(sizes: readonly number[], seen: number): number | null {
  const unit = unitOf(sizes);
  if (unit !== null) {
    const steps = sizes.map((size) => Math.round(size / unit));
    const range = steps.reduce((sum, step) => sum + step, 0);
    if (range * steps.length <= MOST_STEPS) return shareBySums(steps, range, Math.round(seen / unit));
  }
  return sizes.length <= 20 ? shareByEnumeration(sizes, seen) : null;
}

/**
 * The largest 1/s, s ≤ 840 (which every number of trials up to 8 divides), that all are multiples of.
 */
function unitOf(sizes: readonly number[]): number | null {
  for (let scale = 1; scale <= 840; scale++) {
    if (sizes.every((size) => Math.abs(size * scale - Math.round(size * scale)) < 1e-9 * scale)) return 1 / scale;
  }
  return null;
}

/** With the sum S = 2P − range for P the sum of the positive ones, |S| ≥ seen means that P lies in either tail. */
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

/** What was seen counts as one more assignment, so that p is never 0 (Phipson and Smyth, SAGMB 9, 2010). */
function drawnShare(sizes: readonly number[], seen: number, seed: string, resamples: number): number {
  const draw = drawsFrom(seed);
  let extreme = 0;
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (const size of sizes) sum += draw(2) === 0 ? size : -size;
    if (isAsFar(sum, seen)) extreme += 1;
  }
  return (extreme + 1) / (resamples + 1);
}

/** Sums of the same numbers in another order differ in their last bits. */
function isAsFar(sum: number, seen: number): boolean {
  return Math.abs(sum) >= seen - 1e-9;
}

/** Rounding may pass one; a chance below 2^-1074 is no double any more, and is still not 0. */
function atMostOne(p: number): number {
  return Math.max(Number.MIN_VALUE, Math.min(1, p));
}
