import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { wilsonInterval } from '../../src/stats/index.ts';

const proportion = fc
  .integer({ min: 1, max: 500 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe("Wilson's interval", () => {
  // A bound p solves (c/n − p)² = z²·p(1−p)/n, with z² = 3.8414588 for 95 %. For c = n that is 1 − p = z²·p/n, so
  // p = n/(n + z²): 20/23.8414588 = 0.838875; for c = 0 the other way round, z²/(n + z²): 3.8414588/13.8414588. For 8 of
  // 10 the quadratic (1 + z²/n)p² − (2·0.8 + z²/n)p + 0.64 = 0 has the roots 0.490162 and 0.943318.
  it.each([
    [20, 20, 0.838875, 1],
    [0, 10, 0, 0.277533],
    [8, 10, 0.490162, 0.943318],
    [0, 0, 0, 1],
  ])('of %d in %d is [%d, %d]', (successes, n, low, high) => {
    const interval = wilsonInterval(successes, n);
    expect(interval.low).toBeCloseTo(low, 5);
    expect(interval.high).toBeCloseTo(high, 5);
    expect(interval.level).toBe(0.95);
  });

  it('has bounds that solve the equation of the score test', () => {
    fc.assert(
      fc.property(proportion, ([successes, n]) => {
        const { low, high } = wilsonInterval(successes, n);
        for (const p of [low, high]) {
          expect((successes / n - p) ** 2).toBeCloseTo((3.841459 * p * (1 - p)) / n, 6);
        }
        expect(low).toBeLessThanOrEqual(successes / n);
        expect(high).toBeGreaterThanOrEqual(successes / n);
      }),
    );
  });

  it('is mirrored for failures, and grows with the level', () => {
    fc.assert(
      fc.property(proportion, ([successes, n]) => {
        const [there, back] = [wilsonInterval(successes, n), wilsonInterval(n - successes, n)];
        expect(back.low).toBeCloseTo(1 - there.high, 12);
        const wide = wilsonInterval(successes, n, 0.99);
        expect(wide.low).toBeLessThanOrEqual(there.low);
        expect(wide.high).toBeGreaterThanOrEqual(there.high);
      }),
    );
  });

  // No simulation: every count's probability, C(n,c)·p^c·(1−p)^(n−c), where its interval holds p.
  it('contains the true rate in 95 of 100 cases on average, also for 20 draws', () => {
    const n = 20;
    const rates = Array.from({ length: 181 }, (_, i) => 0.05 + i / 200);
    const coverage = rates.map((p) => {
      let chance = (1 - p) ** n;
      let held = 0;
      for (let c = 0; c <= n; c++) {
        const { low, high } = wilsonInterval(c, n);
        if (low <= p && p <= high) held += chance;
        chance *= ((n - c) / (c + 1)) * (p / (1 - p));
      }
      return held;
    });
    const average = coverage.reduce((sum, held) => sum + held, 0) / coverage.length;
    expect(average).toBeGreaterThan(0.94);
    expect(average).toBeLessThan(0.965);
  });

  it.each([
    [3, 2],
    [-1, 2],
    [NaN, 2],
  ])('is refused for %d of %d', (successes, n) => {
    expect(() => wilsonInterval(successes, n)).toThrow(RangeError);
  });
});
