import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/testing.ts';
import { passHatOfTask } from '../../src/stats/index.ts';
import { computePassHats, type TrialReward } from '../../src/results/metrics/index.ts';
import { boundedMeanInterval } from '../../src/stats/index.ts';
import { measureUncertainty } from '../../src/results/metrics/testing.ts';

/** A run with so many successes of `trials` per task, the first trials succeeding. */
function run(trials: number, successes: readonly number[]): TrialReward[] {
  return successes.flatMap((c, taskId) =>
    Array.from({ length: trials }, (_, trial) => ({ taskId, trial, reward: trial < c ? 1 : 0 })),
  );
}

const runs = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }))
  .map(([trials, successes]) =>
    run(
      trials,
      successes.map((c) => Math.min(c, trials)),
    ),
  );

describe('the intervals of pass^k', () => {
  it('are one for every k, hold its value, lie in [0, 1] and have a width', () => {
    fc.assert(
      fc.property(runs, (rows) => {
        const tasks = new Set(rows.map(({ taskId }) => taskId)).size;
        const { passHatK: intervals } = measureUncertainty(rows);
        expect(intervals.map(({ k, value }) => ({ k, value }))).toEqual(
          computePassHats(rows).map(({ k, value }) => ({ k, value })),
        );
        for (const { value, interval } of intervals) {
          expect(interval === null).toBe(tasks < 2);
          if (interval === null) continue;
          expect(interval.low).toBeGreaterThanOrEqual(0);
          expect(interval.high).toBeLessThanOrEqual(1);
          expect(interval.low).toBeLessThanOrEqual(value + 1e-9);
          expect(interval.high).toBeGreaterThanOrEqual(value - 1e-9);
          expect(interval.high - interval.low).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('do not depend on the order in which episodes ended', () => {
    const shuffled = runs.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        const [there, again] = [measureUncertainty(rows), measureUncertainty(others)];
        expect(again.passHatK.map(({ interval }) => interval)).toEqual(there.passHatK.map(({ interval }) => interval));
        expect({ ...again, passHatK: [] }).toEqual({ ...there, passHatK: [] });
      }),
      { numRuns: 50 },
    );
  });

  // 20 of 20 solved is no proof: a true rate of 0.85 does as well in 4 of 100 runs. Clopper and Pearson: 0.025^(1/20) = 0.8316.
  it('claim no certainty for tasks that all came to the same', () => {
    const [perfect, hopeless] = [4, 0].map((c) => measureUncertainty(run(4, new Array<number>(20).fill(c))));
    for (const { interval } of perfect?.passHatK ?? []) {
      expect(interval?.low).toBeCloseTo(0.8316, 2);
      expect(interval?.high).toBe(1);
    }
    expect(hopeless?.passHatK[0]?.interval?.low).toBe(0);
    expect(hopeless?.passHatK[0]?.interval?.high).toBeCloseTo(1 - 0.8316, 2);
  });

  // Three deviations of a binomial with p = 0.95 over 300 runs are 0.038. Rates of Beta(0.3, 3), a weak agent: most tasks
  // are never solved, and a sample may lack those that are. The mean of the k-th powers of rates of Beta(a, b) is the
  // product of (a + j)/(a + b + j), j < k.
  it.each([
    ['of a weak agent', 50, 4, 0.3, 3],
    ['of rates of any size', 20, 4, 1, 1],
  ])('hold the truth in 93 of 100 runs or more: %s, %d tasks', (name, tasks, trials, a, b) => {
    const random = new Random(`coverage of pass^k ${name}`);
    const cases = 300;
    const held = new Array<number>(trials).fill(0);
    for (let i = 0; i < cases; i++) {
      const rates = Array.from({ length: tasks }, () => drawBeta(random, a, b));
      const counts = rates.map(
        (rate) => Array.from({ length: trials }, () => random.chance(rate)).filter(Boolean).length,
      );
      held.forEach((_, index) => {
        const k = index + 1;
        const interval = boundedMeanInterval(counts.map((c) => passHatOfTask(c, trials, k)));
        const truth = Array.from({ length: k }, (_, j) => (a + j) / (a + b + j)).reduce((x, y) => x * y);
        if (interval !== null && interval.low <= truth && truth <= interval.high) held[index] = (held[index] ?? 0) + 1;
      });
    }
    for (const count of held) expect(count / cases).toBeGreaterThanOrEqual(0.93);
  });
});

/** Draws from Beta(a, b) by Jöhnk's rejection. */
function drawBeta(random: Random, a: number, b: number): number {
  for (;;) {
    const [x, y] = [random.next() ** (1 / a), random.next() ** (1 / b)];
    if (x + y <= 1 && x + y > 0) return x / (x + y);
  }
}

describe('the interval of pass^1 by episodes', () => {
  it('is Wilson’s, of the episodes that there are', () => {
    // 8 of 10: see the tests of Wilson's interval. The last task lacks two of four trials.
    const rows = run(4, [4, 4, 0]).slice(0, -2);
    const { wilson } = measureUncertainty(rows);
    expect(wilson?.low).toBeCloseTo(0.490162, 5);
    expect(wilson?.high).toBeCloseTo(0.943318, 5);
  });

  it('is none without episodes', () => {
    expect(measureUncertainty([])).toEqual({
      wilson: null,
      passHatK: [],
      variance: null,
      flips: { tasks: 0, flipped: 0, rate: null, disagreement: null },
      mde: null,
      trialsNeeded: [0.1, 0.05, 0.03].map((difference) => ({ difference, trials: null })),
    });
  });
});

describe('what a run can show', () => {
  // Rates 1, 3/4, 1/4, 0 by turns: between trials 0 or 3·1/(4·3) = 1/4, so 1/8 in the mean. Over 100 tasks with 4 trials
  // the normal approximation is 2.801585·√(2·(1/8)/400) = 0.0700; for 0.05 it takes 2·(1/8)·(2.82945/0.05)²/100 = 8.006
  // trials, with quantiles of t.
  it('follows from the variance between trials', () => {
    const rows = run(
      4,
      Array.from({ length: 100 }, (_, task) => [4, 3, 1, 0][task % 4] ?? 0),
    );
    const { variance, mde, trialsNeeded, flips } = measureUncertainty(rows);
    expect(variance?.betweenTrials).toBeCloseTo(1 / 8, 12);
    expect(Math.abs((mde ?? NaN) - 0.07)).toBeLessThan(0.01);
    expect(trialsNeeded).toEqual([
      { difference: 0.1, trials: 3 },
      { difference: 0.05, trials: 9 },
      { difference: 0.03, trials: 23 },
    ]);
    expect(flips).toMatchObject({ tasks: 100, flipped: 50, rate: 0.5, disagreement: 0.25 });
  });

  // One trial: at most 0.8·0.2 lies between trials, 2.801585·√(2·0.16/50) = 0.2241; the exact test needs a larger one.
  it('is bounded by the whole variance where no task was tried twice', () => {
    const rows = run(
      1,
      Array.from({ length: 50 }, (_, task) => (task < 40 ? 1 : 0)),
    );
    const { variance, mde } = measureUncertainty(rows);
    expect(variance).toBeNull();
    expect(mde).toBeGreaterThan(0.24);
    expect(mde).toBeLessThan(0.33);
  });

  // Half of the tasks lack three of four trials: the variance of a task is that of its own trials.
  it('adds up the variances of tasks with different numbers of trials', () => {
    const rows = run(
      4,
      Array.from({ length: 60 }, (_, task) => [4, 3, 1, 0][task % 4] ?? 0),
    );
    const lacking = rows.filter(({ taskId, trial }) => taskId >= 30 || trial < 1);
    const [whole, ragged] = [measureUncertainty(rows), measureUncertainty(lacking)];
    expect(ragged.mde).toBeGreaterThan(1.2 * (whole.mde ?? NaN));
  });

  it('is not known where nothing varied', () => {
    for (const rows of [run(1, [1, 1, 1]), run(4, [4, 4, 0])]) {
      const { mde, trialsNeeded } = measureUncertainty(rows);
      expect([mde, ...trialsNeeded.map(({ trials }) => trials)]).toEqual([null, null, null, null]);
    }
  });
});
