import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { roundStep, spreads, spreadSentence } from '../../../src/viewer/charts/spread-data.ts';
import { timeUnit } from '../../../src/viewer/charts/time-unit.ts';
import { episode } from '../payloads.ts';

const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(0, 1)), {
  minLength: 1,
  maxLength: 60,
});
const asEpisodes = (drawn: readonly (readonly [number, number])[]) =>
  drawn.map(([steps, reward], trial) => episode({ trial, steps, reward }));

describe('spreads', () => {
  it('puts every episode into the one bin that its value lies in', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const { bins } = spreads(asEpisodes(drawn), ({ steps }) => steps, 1);
        for (const { low, high, solved, failed } of bins) {
          const inside = drawn.filter(([steps]) => steps >= low && steps < high);
          expect(solved + failed).toBe(inside.length);
          expect(solved).toBe(inside.filter(([, reward]) => reward === 1).length);
        }
        expect(bins.reduce((sum, { solved, failed }) => sum + solved + failed, 0)).toBe(drawn.length);
      }),
    );
  });

  it('has few bins, without gaps, as wide as each other', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const { bins } = spreads(asEpisodes(drawn), ({ steps }) => steps, 1);
        expect(bins.length).toBeLessThanOrEqual(30);
        for (const [index, bin] of bins.entries()) {
          const next = bins[index + 1];
          if (next !== undefined) expect(next.low).toBe(bin.high);
        }
      }),
    );
  });

  it('leaves out what is not known, and says when nothing is', () => {
    const none = spreads([episode()], ({ durationMs }) => durationMs, 1);
    expect(none).toEqual({ bins: [], medianSolved: null, medianFailed: null });
    expect(spreadSentence(none, String)).toBe('Not known.');
  });

  it('says the medians of both sides', () => {
    const data = spreads(asEpisodes([[3, 1], [5, 1], [9, 0]]), ({ steps }) => steps, 1); // prettier-ignore
    expect(spreadSentence(data, (value) => `${String(value)} steps`)).toBe(
      'Half of the solved episodes take at most 4 steps, half of the failed ones at most 9 steps; 67 % of 3 were solved.',
    );
  });
});

it('rounds steps up to 1, 2, 5, 10 …', () => {
  expect([0, 1, 1.2, 3, 5.5, 40, 101].map((least) => roundStep(least, 1))).toEqual([1, 1, 2, 5, 10, 50, 200]);
  expect(roundStep(0.03, 0.01)).toBeCloseTo(0.05);
});

it('draws durations in the largest unit of which there are two', () => {
  expect([500, 1999, 2000, 119_999, 120_000, 7_200_000].map((ms) => timeUnit(ms).name)).toEqual([
    ...['milliseconds', 'milliseconds', 'seconds', 'seconds', 'minutes', 'hours'],
  ]);
});
