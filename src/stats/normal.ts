/**
 * The standard normal distribution, to the seven digits that an interval from thousands of resamples can use.
 *
 * The error function is simple-statistics'. Its table of the distribution has steps of 0.01 and its `probit` errs in
 * the third digit (1.9622 for 1.9600), so that one is only where Newton's steps start from.
 */

import { errorFunction, probit } from 'simple-statistics';

/** P(Z ≤ z), with an error below 6e-8. */
export function normalCdf(z: number): number {
  return (1 + errorFunction(z / Math.SQRT2)) / 2;
}

/**
 * The z with P(Z ≤ z) = p, inverse to {@link normalCdf}.
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
