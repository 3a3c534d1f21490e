/**
 * The interval of a mean of values in [0, 1], such as a task's share of pass^k. It promises its coverage for every
 * distribution of the values, weak agents included: most of their values are 0, and a sample may lack the few others,
 * so that intervals from the sample's own spread (a bootstrap, Wilson's with an effective sample size) end too low.
 *
 * Upper bound (Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative
 * Variable, 2005; Learned-Miller and Thomas, arXiv 1905.06208): add the largest possible value, 1, to the sample once,
 * weight all values at random (uniformly among weights that sum to 1, a Dirichlet distribution), and take the quantile
 * of the weighted mean. The lower bound is the same with a 0. If all values are 0 or 1, this is the interval of Clopper
 * and Pearson. The quantile needs no random numbers: with G the gamma variables that Dirichlet weights are made of, the
 * weighted mean is at most θ where Σ G·(value − θ) ≤ 0, and the saddlepoint approximation of that chance (Lugannani and
 * Rice in the form of Barndorff-Nielsen) is exact to two digits or more.
 */

import { normalCdf, type Interval } from './proportions.ts';

/** Equal values of a sample, and their number. */
interface Kind {
  readonly value: number;
  readonly weight: number;
}

/**
 * @param values independent draws in [0, 1]; a value outside is treated as the nearer bound
 * @returns null for fewer than two values, which determine no interval
 */
export function boundedMeanInterval(values: readonly number[], level = 0.95): Interval | null {
  if (values.length < 2) return null;
  const counts = new Map<number, number>();
  for (const given of values) {
    const value = Math.min(1, Math.max(0, given));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const kinds = Array.from(counts, ([value, weight]): Kind => ({ value, weight })).sort((a, b) => a.value - b.value);
  const share = (1 + level) / 2;
  const mirrored = kinds.map(({ value, weight }) => ({ value: 1 - value, weight }));
  return { low: 1 - upperBound(mirrored, share), high: upperBound(kinds, share), level };
}

/** Returns a quantile of the weighted mean of the values and 1. */
function upperBound(kinds: readonly Kind[], share: number): number {
  const widened = [...kinds, { value: 1, weight: 1 }];
  if (kinds.every(({ value }) => value === 1)) return 1;
  return bisect(0, 1, (mean) => shareBelow(widened, mean) < share);
}

/** Returns the probability that the weighted mean is at most `mean`, which lies within the range of the values. */
function shareBelow(kinds: readonly Kind[], mean: number): number {
  const parts = kinds.map(({ value, weight }) => ({ weight, step: value - mean }));
  const least = Math.min(...parts.map(({ step }) => step));
  const most = Math.max(...parts.map(({ step }) => step));
  if (least >= 0) return 0;
  if (most <= 0) return 1;
  const slope = (s: number) => parts.reduce((sum, { weight, step }) => sum + (weight * step) / (1 - s * step), 0);
  const saddle = bisect(1 / least, 1 / most, (s) => slope(s) < 0);
  let height = 0;
  let curvature = 0;
  for (const { weight, step } of parts) {
    const rest = 1 - saddle * step;
    height -= weight * Math.log(rest);
    curvature += weight * (step / rest) ** 2;
  }
  const root = Math.sign(saddle) * Math.sqrt(Math.max(0, -2 * height));
  // Next to the mean the formula divides 0 by 0. No bound is there.
  if (Math.abs(root) < 1e-3) return 0.5;
  return normalCdf(root + Math.log((saddle * Math.sqrt(curvature)) / root) / root);
}

/** Number of halvings after which a bound is exact to 9 digits. */
const HALVINGS = 32;

/** Finds the largest argument between the ends for which `isBelow` is true. */
function bisect(from: number, to: number, isBelow: (at: number) => boolean): number {
  let [low, high] = [from, to];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
