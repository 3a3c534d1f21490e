/** The standard normal distribution, to the seven digits that an interval from thousands of resamples can use. */

/** P(Z ≤ z). By Abramowitz and Stegun 26.2.17 the error is below 7.5e-8. */
export function normalCdf(z: number): number {
  if (z < 0) return 1 - normalCdf(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

/**
 * The z with P(Z ≤ z) = p: a starting value (Abramowitz and Stegun 26.2.23) brought home by Newton's steps on
 * {@link normalCdf}, so that the two are inverse to each other.
 *
 * @param p in [0, 1]; ±Infinity at the ends
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  if (p < 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(1 - p));
  let z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let step = 0; step < 3; step++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    if (density < 1e-12) break;
    z -= (normalCdf(z) - p) / density;
  }
  return z;
}
