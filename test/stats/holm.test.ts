import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { holm } from '../../src/stats/index.ts';

describe("Holm's correction", () => {
  // Ascending: 0.005·4 = 0.02, 0.01·3 = 0.03, 0.03·2 = 0.06, 0.04·1 = 0.04, which may not fall below 0.06.
  it('multiplies the smallest by their number, the next by one less, and never falls', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((p, index) => expect(adjusted[index]).toBeCloseTo(p, 12));
  });

  it('does not change the p-value of one test, or of none', () => {
    expect([holm([0.04]), holm([])]).toEqual([[0.04], []]);
  });

  it('lies between the p-value and Bonferroni’s, keeps their order, and stays with its test', () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(pValues, (given) => {
        const adjusted = holm(given);
        given.forEach((p, index) => {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p);
          expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, p * given.length));
          given.forEach((q, other) => {
            if (p < q) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other] ?? NaN);
          });
        });
        expect(holm([...given].reverse())).toEqual([...adjusted].reverse());
      }),
    );
  });
});
