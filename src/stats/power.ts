/** What a design can show: the smallest true difference that it finds in most cases. */

import { mean } from './bootstrap.ts';
import { normalQuantile } from './normal.ts';

/** Of the differences, with n − 1; null for fewer than two. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/**
 * The difference that a two-sided test of the paired mean would find with this power, were the spread between tasks
 * what it was here (normal approximation: (z_{1−α/2} + z_power) · SD/√n).
 *
 * @returns null where the spread is unknown or none, for then the formula's answer of 0 would be a boast
 */
export function detectableDifference(values: readonly number[], level = 0.95, power = 0.8): number | null {
  const spread = standardDeviation(values);
  if (spread === null || spread === 0) return null;
  return ((normalQuantile((1 + level) / 2) + normalQuantile(power)) * spread) / Math.sqrt(values.length);
}
