import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { minimize, pivot, valueOf, type Tableau } from '../../../src/results/pass-row/mixture.ts';

describe('the simplex method', () => {
  // Least −3x − 2y with x + y ≤ 4 and x + 3y ≤ 6 (slacks s, t): at x = 4, y = 0, where it is −12.
  it('finds the corner, in whole numbers over the last pivot', () => {
    const tableau: Tableau = {
      rows: [
        [1n, 1n, 1n, 0n, 4n],
        [1n, 3n, 0n, 1n, 6n],
      ],
      objective: [3n, 2n, 0n, 0n, 0n],
      basis: [2, 3],
      divisor: 1n,
    };
    minimize(tableau);
    expect([valueOf(tableau, 0), valueOf(tableau, 1), tableau.divisor]).toEqual([4n, 0n, 1n]);
    expect(tableau.objective.at(-1)).toBe(-12n);
  });

  // Beale's example, on which the rule of the largest coefficient goes in circles; multiplied to whole numbers. The least
  // is −1/20, at x4 = 1/25, x6 = 1.
  it('ends where other rules go in circles', () => {
    const tableau: Tableau = {
      rows: [
        [1n, 0n, 0n, 25n, -6000n, -4n, 900n, 0n],
        [0n, 1n, 0n, 25n, -4500n, -1n, 150n, 0n],
        [0n, 0n, 1n, 0n, 0n, 1n, 0n, 1n],
      ],
      objective: [0n, 0n, 0n, 75n, -15000n, 2n, -600n, 0n],
      basis: [0, 1, 2],
      divisor: 1n,
    };
    minimize(tableau);
    const value = (column: number) => Number(valueOf(tableau, column)) / Number(tableau.divisor);
    expect([value(3), value(4), value(5), value(6)]).toEqual([0.04, 0, 1, 0]);
    expect(Number(tableau.objective.at(-1)) / Number(tableau.divisor) / 100).toBe(-0.05);
  });

  it('keeps the solutions of its equations when it pivots', () => {
    const small = fc.bigInt({ min: -5n, max: 5n });
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 6, maxLength: 6 }),
        ([a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n]) => {
          fc.pre(a !== 0n && a * d - b * c !== 0n);
          const tableau: Tableau = {
            rows: [
              [a, b, 1n, 0n, e],
              [c, d, 0n, 1n, f],
            ],
            objective: [0n, 0n, 0n, 0n, 0n],
            basis: [2, 3],
            divisor: 1n,
          };
          pivot(tableau, 0, 0);
          pivot(tableau, 1, 1);
          const [x, y] = [valueOf(tableau, 0), valueOf(tableau, 1)];
          expect([a * x + b * y, c * x + d * y]).toEqual([e * tableau.divisor, f * tableau.divisor]);
        },
      ),
    );
  });

  it('says when nothing bounds the objective', () => {
    const tableau: Tableau = { rows: [[-1n, 1n, 1n]], objective: [1n, 0n, 0n], basis: [1], divisor: 1n };
    expect(() => {
      minimize(tableau);
    }).toThrow(RangeError);
  });
});
