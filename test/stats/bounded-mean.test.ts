import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { boundedMeanInterval } from '../../src/stats/index.ts';

/** Returns `count` ones among `n` values. */
function ones(count: number, n: number): number[] {
  return Array.from({ length: n }, (_, index) => (index < count ? 1 : 0));
}

describe('the interval of a mean of values in [0, 1]', () => {
  // Clopper and Pearson's, from tables of the beta distribution.
  it.each([
    [0, 20, 0, 0.1684],
    [1, 20, 0.0013, 0.2487],
    [8, 10, 0.4439, 0.9748],
    [50, 100, 0.3983, 0.6017],
    [20, 20, 0.8316, 1],
  ])('of %d ones of %d is Clopper and Pearson’s: %d to %d', (count, n, low, high) => {
    const interval = boundedMeanInterval(ones(count, n));
    expect(Math.abs((interval?.low ?? NaN) - low)).toBeLessThan(0.0012);
    expect(Math.abs((interval?.high ?? NaN) - high)).toBeLessThan(0.0012);
  });

  const values = fc.array(fc.constantFrom(0, 1 / 6, 1 / 4, 1 / 2, 3 / 4, 1), { minLength: 2, maxLength: 60 });

  it('contains the mean, stays within [0, 1], and is mirrored with the values', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { low, high } = boundedMeanInterval(given) ?? { low: NaN, high: NaN };
        const mean = given.reduce((sum, value) => sum + value, 0) / given.length;
        expect(low >= 0 && low <= mean + 1e-9 && mean <= high + 1e-9 && high <= 1 && low < high).toBe(true);
        const turned = boundedMeanInterval(given.map((value) => 1 - value));
        expect(turned?.low).toBeCloseTo(1 - high, 6);
        expect(turned?.high).toBeCloseTo(1 - low, 6);
      }),
    );
  });

  it('is narrower for values between 0 and 1, and with a lower level', () => {
    const width = (given: readonly number[], level?: number) => {
      const { low, high } = boundedMeanInterval(given, level) ?? { low: NaN, high: NaN };
      return high - low;
    };
    expect(width(new Array<number>(20).fill(0.5))).toBeLessThan(width(ones(10, 20)));
    expect(width(ones(10, 20), 0.8)).toBeLessThan(width(ones(10, 20)));
  });

  it('is absent for fewer than two values, and clamps values to [0, 1]', () => {
    expect(boundedMeanInterval([1])).toBeNull();
    expect(boundedMeanInterval([1.5, -0.5, 1])).toEqual(boundedMeanInterval([1, 0, 1]));
  });
});
