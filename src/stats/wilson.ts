/**
 * The interval of a proportion by Wilson's score (Wilson, JASA 22, 1927): the proportions p that a test at the level
 * does not reject, |successes/n − p| ≤ z·√(p(1−p)/n). It stays within [0, 1], and has a width also where all or none
 * succeeded: 20 of 20 give [0.839, 1], where the normal interval would give [1, 1].
 */

import type { Interval } from './interval.ts';
import { normalQuantile } from './normal.ts';

/**
 * @param successes in [0, n]; a sum of shares where draws are not all or nothing, for which the interval is wider than
 *   needed: no value in [0, 1] varies more than a Bernoulli draw of its mean
 * @param n independent draws; without any, the interval is [0, 1]
 * @throws RangeError for other numbers
 */
export function wilson(successes: number, n: number, level = 0.95): Interval {
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
