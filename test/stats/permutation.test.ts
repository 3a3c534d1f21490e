import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/testing.ts';
import { exactMcNemar, signFlipTest } from '../../src/stats/index.ts';

/** The definition: every assignment of signs, gone through. */
function byDefinition(differences: readonly number[]): number {
  const seen = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let extreme = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const sum = differences.reduce((total, size, bit) => total + ((signs >> bit) & 1 ? size : -size), 0);
    if (Math.abs(sum) >= seen - 1e-9) extreme += 1;
  }
  return extreme / 2 ** differences.length;
}

describe('the sign-flip test', () => {
  // Of [1, 2, 3] only +++ and −−− come as far as 6: 2 of 8. Of [3, 2, −1] the sums are ±6, ±4, ±2 and 0 twice; as far as
  // 4 come four of 8.
  it.each([
    [[1, 2, 3], 0.25],
    [[3, 2, -1], 0.5],
    [[0, 0, 0.5], 1],
    [[1, -1], 1],
    [[0, 0], 1],
    [[], 1],
  ])('of %j is %d', (differences, p) => {
    expect(signFlipTest(differences)).toEqual({ p, method: 'exact', resamples: 0 });
  });

  it('goes through all assignments of signs, in whatever way it does', () => {
    const trials = fc.constantFrom(1, 3, 4, 7, 12);
    const quotients = trials.chain((n) =>
      fc.array(
        fc.integer({ min: -n, max: n }).map((steps) => steps / n),
        { maxLength: 10 },
      ),
    );
    const anything = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(quotients, anything), (differences) => {
        expect(signFlipTest(differences)).toEqual({
          p: expect.closeTo(byDefinition(differences), 10) as number,
          method: 'exact',
          resamples: 0,
        });
      }),
    );
  });

  it('is McNemar’s exact test where every task has one trial', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(50), (worse, better, equal) => {
        const differences = [
          ...new Array<number>(worse).fill(-1),
          ...new Array<number>(equal).fill(0),
          ...new Array<number>(better).fill(1),
        ];
        expect(signFlipTest(differences).p).toBeCloseTo(exactMcNemar(worse, better).p, 10);
      }),
      { numRuns: 30 },
    );
  });

  it('does not depend on direction, order, or units', () => {
    const values = [0.25, -0.5, 1, 0.75, 0, -0.25, 0.5];
    const { p } = signFlipTest(values);
    expect(signFlipTest(values.map((value) => -value)).p).toBe(p);
    expect(signFlipTest([...values].reverse()).p).toBe(p);
    expect(signFlipTest(values.map((value) => value * 4)).p).toBe(p);
  });

  it('samples by the seed if there are too many assignments, and never returns 0', () => {
    const values = Array.from({ length: 40 }, (_, i) => Math.sqrt(i + 2) - Math.floor(Math.sqrt(i + 2)) + 0.001);
    const drawn = signFlipTest(values, { resamples: 999 });
    expect(drawn).toEqual({ p: 0.001, method: 'monte_carlo', resamples: 999 });
    const even = values.map((value, i) => (i % 2 === 0 ? value : -value));
    const again = (seed: string) => signFlipTest(even, { resamples: 999, seed }).p;
    expect(again('a')).toBe(again('a'));
    expect(again('a')).not.toBe(again('b'));
  });

  it('agrees with the exact result if it samples', () => {
    // Fourths, moved by less than what matters, so that there is no common unit any more.
    const values = Array.from({ length: 30 }, (_, i) => (((i * 7) % 9) - 3) / 4);
    const moved = values.map((value, i) => (value === 0 ? 0 : value + Math.SQRT2 * 1e-7 * ((i % 3) - 1)));
    const [exact, drawn] = [signFlipTest(values), signFlipTest(moved, { resamples: 20_000 })];
    expect([exact.method, drawn.method]).toEqual(['exact', 'monte_carlo']);
    // Ties are broken by the moves, half of them one way.
    expect(drawn.p).toBeCloseTo(exact.p, 1);
  });

  it('calls equal agents different in at most 5 of 100 cases', () => {
    const random = new Random('equal agents');
    const cases = 1000;
    let alarms = 0;
    for (let i = 0; i < cases; i++) {
      const values = Array.from({ length: 40 }, () => {
        const rate = random.next();
        const rateOf4 = () => [0, 1, 2, 3].filter(() => random.chance(rate)).length / 4;
        return rateOf4() - rateOf4();
      });
      if (signFlipTest(values).p <= 0.05) alarms += 1;
    }
    // Binomial with p = 0.05: three deviations are 0.02.
    expect(alarms / cases).toBeGreaterThan(0.03);
    expect(alarms / cases).toBeLessThan(0.07);
  });
});
