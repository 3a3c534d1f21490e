import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/testing.ts';
import { mean } from 'simple-statistics';
import { bootstrapInterval, exactMcNemar, standardDeviation } from '../../src/stats/index.ts';
import { normalCdf, normalQuantile } from '../../src/stats/testing.ts';

/** Differences of per-task means, as four trials a task give them. */
const differences = fc.array(
  fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
  { minLength: 2, maxLength: 40 },
);

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447],
    [1.959964, 0.975],
    [-1.644854, 0.05],
    [3, 0.9986501],
  ])('has P(Z ≤ %d) = %d', (z, p) => {
    expect(normalCdf(z)).toBeCloseTo(p, 6);
    expect(normalQuantile(p)).toBeCloseTo(z, 4);
  });

  it('has quantiles that are its inverse', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-4, max: 1 - 1e-4, noNaN: true }), (p) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 6);
      }),
    );
  });

  it('has no quantile at the ends', () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });
});

describe('the bootstrap interval', () => {
  it('is absent for fewer than two tasks', () => {
    expect(bootstrapInterval([])).toBeNull();
    expect(bootstrapInterval([-1])).toBeNull();
  });

  it('is the same for the same differences, and moves with the seed', () => {
    const values = [0, 0, -1, 0.25, -0.5, 0, 1, -1];
    expect(bootstrapInterval(values)).toEqual(bootstrapInterval(values));
    expect(bootstrapInterval(values, { seed: 'another', resamples: 200 })).not.toEqual(
      bootstrapInterval(values, { resamples: 200 }),
    );
  });

  it('is zero if nothing has changed', () => {
    expect(bootstrapInterval(new Array<number>(20).fill(0))).toEqual({ low: 0, high: 0, level: 0.95 });
  });

  it('is mirrored if the two runs are swapped', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const there = bootstrapInterval(values, { resamples: 500 });
        const back = bootstrapInterval(
          values.map((value) => -value),
          { resamples: 500 },
        );
        expect(back?.low).toBeCloseTo(-(there?.high ?? NaN), 3);
        expect(back?.high).toBeCloseTo(-(there?.low ?? NaN), 3);
      }),
    );
  });

  it('is within the differences, and contains their mean', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const { low, high } = bootstrapInterval(values, { resamples: 500 }) ?? { low: NaN, high: NaN };
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        expect(low).toBeLessThanOrEqual(mean(values) + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean(values) - 1e-9);
      }),
    );
  });

  it('agrees with the normal interval for many tasks', () => {
    const random = new Random('many');
    const values = Array.from({ length: 2000 }, () => random.next() - 0.4);
    const { low, high } = bootstrapInterval(values, { resamples: 4000 }) ?? { low: NaN, high: NaN };
    const half = (1.96 * (standardDeviation(values) ?? NaN)) / Math.sqrt(values.length);
    expect(low).toBeCloseTo(mean(values) - half, 2);
    expect(high).toBeCloseTo(mean(values) + half, 2);
  });

  // What a nightly run looks like: most tasks stay, some fall, fewer rise. The true difference is −0.1.
  it.each([30, 115])('contains the true difference in about 95 of 100 cases, with %d tasks', (tasks) => {
    const random = new Random(`coverage ${tasks}`);
    const draw = () => {
      const u = random.next();
      return u < 0.2 ? -1 : u < 0.3 ? 1 : 0;
    };
    const cases = 600;
    let held = 0;
    for (let i = 0; i < cases; i++) {
      const values = Array.from({ length: tasks }, draw);
      const interval = bootstrapInterval(values, { resamples: 600, seed: `case ${i}` });
      if (interval !== null && interval.low <= -0.1 && -0.1 <= interval.high) held += 1;
    }
    expect(held / cases).toBeGreaterThan(0.92);
    expect(held / cases).toBeLessThan(0.98);
  });

  it('calls equal agents different in about 5 of 100 cases', () => {
    const random = new Random('false alarms');
    const cases = 600;
    let alarms = 0;
    for (let i = 0; i < cases; i++) {
      const values = Array.from({ length: 50 }, () => Number(random.chance(0.6)) - Number(random.chance(0.6)));
      const interval = bootstrapInterval(values, { resamples: 600, seed: `case ${i}` });
      if (interval !== null && (interval.high < 0 || interval.low > 0)) alarms += 1;
    }
    expect(alarms / cases).toBeGreaterThan(0.02);
    expect(alarms / cases).toBeLessThan(0.08);
  });
});

describe("McNemar's exact test", () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 5, 1],
    [6, 0, 0.03125],
    [9, 1, 0.021484375],
    [1, 9, 0.021484375],
    [10, 2, 0.03857421875],
  ])('gives for %d against %d: p = %d', (worse, better, p) => {
    expect(exactMcNemar(worse, better)).toEqual({ worse, better, p: expect.closeTo(p, 12) as number });
  });

  it('stays exact if 0.5 to the power of n is too small for a double', () => {
    const { p } = exactMcNemar(900, 1100);
    // The normal approximation with a correction for continuity.
    expect(p).toBeCloseTo(2 * (1 - normalCdf((200 - 1) / Math.sqrt(2000))), 5);
  });
});
