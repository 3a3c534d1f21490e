import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/random.ts';
import { signFlipTest } from '../../src/stats/resampling.ts';
import { plannedDifference, trialsToShow } from '../../src/stats/design.ts';

describe('a planned comparison', () => {
  // (1.959964 + 0.841621)·√(2·0.2/(4·100)) = 2.801585·√0.001 = 0.0885938
  it('shows 2.8 standard errors of a difference', () => {
    expect(plannedDifference({ tasks: 100, betweenTrials: 0.2 }, 4)).toBeCloseTo(0.0885938, 5);
  });

  // The interaction of task and system adds 0.04/100: 2.801585·√0.0014 = 0.1048253, and 2.801585·√0.0004 = 0.0560317
  // is left with any number of trials.
  it('cannot see below the interaction with more trials', () => {
    const plan = { tasks: 100, betweenTrials: 0.2, interaction: 0.04 };
    expect(plannedDifference(plan, 4)).toBeCloseTo(0.1048253, 5);
    expect(plannedDifference(plan, 1e9)).toBeCloseTo(0.0560317, 5);
    expect(trialsToShow(plan, 0.056)).toBeNull();
    expect(trialsToShow(plan, 0.0885938 + 0.02)).toBe(4);
  });

  it('takes the least number of trials that shows the difference', () => {
    const plans = fc.record({
      tasks: fc.integer({ min: 1, max: 500 }),
      betweenTrials: fc.double({ min: 0.001, max: 0.25, noNaN: true }),
      interaction: fc.constantFrom(0, 0.01),
      power: fc.constantFrom(0.8, 0.9),
    });
    fc.assert(
      fc.property(plans, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (plan, difference) => {
        const trials = trialsToShow(plan, difference);
        if (trials === null) {
          expect(plannedDifference(plan, 1e12)).toBeGreaterThanOrEqual(difference - 1e-6);
          return;
        }
        expect(plannedDifference(plan, trials)).toBeLessThanOrEqual(difference + 1e-9);
        if (trials > 1) expect(plannedDifference(plan, trials - 1)).toBeGreaterThan(difference - 1e-9);
      }),
    );
  });

  it('is not known where nothing varies, or without tasks', () => {
    expect(plannedDifference({ tasks: 20, betweenTrials: 0 }, 4)).toBeNull();
    expect(plannedDifference({ tasks: 0, betweenTrials: 0.2 }, 0)).toBeNull();
    expect([
      trialsToShow({ tasks: 20, betweenTrials: 0 }, 0.1),
      trialsToShow({ tasks: 0, betweenTrials: 0.2 }, 0.1),
    ]).toEqual([null, null]);
  });

  it('keeps its promise: such a difference is found in about 80 of 100 cases', () => {
    const random = new Random('promised power');
    const rates = Array.from({ length: 100 }, (_, task) => 0.1 + (0.7 * task) / 100);
    const trials = 4;
    const betweenTrials = rates.reduce((sum, rate) => sum + rate * (1 - rate), 0) / rates.length;
    const effect = plannedDifference({ tasks: rates.length, betweenTrials }, trials) ?? NaN;
    const rateOf = (rate: number) =>
      Array.from({ length: trials }, () => random.chance(rate)).filter(Boolean).length / trials;
    const cases = 300;
    let found = 0;
    for (let i = 0; i < cases; i++) {
      if (signFlipTest(rates.map((rate) => rateOf(rate + effect) - rateOf(rate))).p <= 0.05) found += 1;
    }
    // Binomial with p = 0.8: three deviations are 0.07.
    expect(found / cases).toBeGreaterThan(0.72);
    expect(found / cases).toBeLessThan(0.88);
  });
});
