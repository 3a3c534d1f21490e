/**
 * Intervals and tests of proportions: Wilson's score interval, McNemar's exact test, Holm's correction for several tests,
 * and the standard normal distribution that they need.
 */

import { errorFunction, probit } from 'simple-statistics';

export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Coverage: the share of such intervals that contain the true value, such as 0.95. */
  readonly level: number;
}

/**
 * Returns the interval of a proportion by Wilson's score (Wilson, JASA 22, 1927): the proportions p that a test at the level does
 * not reject, |successes/n − p| ≤ z·√(p(1−p)/n). It stays within [0, 1], and has a width even where all or none succeeded:
 * 20 of 20 give [0.839, 1], where the normal interval would give [1, 1].
 *
 * @param successes in [0, n]; a sum of shares where draws are not all or nothing, for which the interval is wider than
 *   needed: no value in [0, 1] varies more than a Bernoulli draw of its mean
 * @param n independent draws; without any, the interval is [0, 1]
 * @throws RangeError for other numbers
 */
export function wilsonInterval(successes: number, n: number, level = 0.95): Interval {
  if (!(successes >= 0 && successes <= n)) {
    throw new RangeError(`no proportion: ${String(successes)} successes of ${String(n)}`);
  }
  if (n === 0) return { low: 0, high: 1, level };
  const z2 = normalQuantile((1 + level) / 2) ** 2;
  const centre = (successes + z2 / 2) / (n + z2);
  const half = Math.sqrt(z2 * ((successes * (n - successes)) / n + z2 / 4)) / (n + z2);
  // At the ends the bound is exact, and rounding must not move it.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === n ? 1 : Math.min(1, centre + half),
    level,
  };
}

export interface McNemar {
  /** Number of tasks that only the earlier run solved. */
  readonly worse: number;
  /** Number of tasks that only the later run solved. */
  readonly better: number;
  /** Two-sided p-value, in (0, 1]. */
  readonly p: number;
}

export function exactMcNemar(worse: number, better: number): McNemar {
  const n = worse + better;
  const few = Math.min(worse, better);
  // Terms of the lower tail as logarithms, because 0.5^n is no double from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= few; k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((n - k) / (k + 1));
  }
  return { worse, better, p: Math.min(1, 2 * tail) };
}

/**
 * Adjusts the p-values of several tests, so that the chance of calling any true null hypothesis significant is at most
 * the level (Holm, Scandinavian Journal of Statistics 6, 1979). The tests may depend on each other in any way.
 *
 * The smallest is multiplied by their number m, the next by m − 1, and so on; none is below a previous one.
 *
 * @returns in the given order, each in [p, 1]; to be compared with the level itself
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  order.forEach(({ p, index }, rank) => {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = least;
  });
  return adjusted;
}

/** Returns P(Z ≤ z), with an error below 6e-8. */
export function normalCdf(z: number): number {
  return (1 + errorFunction(z / Math.SQRT2)) / 2;
}

/**
 * Returns the z with P(Z ≤ z) = p, the inverse of {@link normalCdf}.
 *
 * @param p in [0, 1]; ±Infinity at the ends
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  let z = probit(p);
  for (let step = 0; step < 3; step++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    if (density < 1e-12) break;
    z -= (normalCdf(z) - p) / density;
  }
  return z;
}
