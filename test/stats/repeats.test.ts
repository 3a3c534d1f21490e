import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/testing.ts';
import { flipRate, splitVariance, type TaskCount } from '../../src/stats/index.ts';

/** Rewards of equally many trials of each task. */
const balanced = fc.tuple(fc.integer({ min: 2, max: 10 }), fc.integer({ min: 2, max: 6 })).chain(([tasks, trials]) =>
  fc.array(fc.array(fc.constantFrom(0, 1), { minLength: trials, maxLength: trials }), {
    minLength: tasks,
    maxLength: tasks,
  }),
);

function countOf(rewards: readonly number[]): TaskCount {
  return { trials: rewards.length, successes: rewards.filter((reward) => reward === 1).length };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the split of the variance', () => {
  // Rates 1, 1/2, 1/2, 0. Between trials: 2·2/(4·3) = 1/3 for the two in the middle, so 1/6 in the mean. The rates vary
  // by (1/4 + 1/4)/3 = 1/6, of which (1/6)/4 = 1/24 is noise: 1/8 is left. Its share is 3/24 of 7/24.
  it('equals the result computed by hand', () => {
    const counts = [4, 2, 2, 0].map((successes) => ({ trials: 4, successes }));
    const split = splitVariance(counts);
    expect(split?.betweenTrials).toBeCloseTo(1 / 6, 12);
    expect(split?.betweenTasks).toBeCloseTo(1 / 8, 12);
    expect(split?.taskShare).toBeCloseTo(3 / 7, 12);
  });

  it('is the one-way analysis of variance, where all tasks have as many trials', () => {
    fc.assert(
      fc.property(balanced, (tasks) => {
        const trials = tasks[0]?.length ?? 0;
        const means = tasks.map(mean);
        const centre = mean(means);
        const meanSquareBetween =
          (trials * means.reduce((sum, value) => sum + (value - centre) ** 2, 0)) / (tasks.length - 1);
        const squaresWithin = tasks.flatMap((rewards, task) =>
          rewards.map((reward) => (reward - (means[task] ?? 0)) ** 2),
        );
        const meanSquareWithin = squaresWithin.reduce((sum, square) => sum + square, 0) / (tasks.length * (trials - 1));
        const split = splitVariance(tasks.map(countOf));
        expect(split?.betweenTrials).toBeCloseTo(meanSquareWithin, 12);
        expect(split?.betweenTasks).toBeCloseTo(Math.max(0, (meanSquareBetween - meanSquareWithin) / trials), 12);
      }),
    );
  });

  it('recovers the simulated variances, also with unequal numbers of trials', () => {
    const random = new Random('variance');
    // Rates 0.2 and 0.8 by turns: 0.09 between tasks, 0.16 between trials.
    const counts = Array.from({ length: 20_000 }, (_, task) => {
      const trials = 2 + (task % 3);
      const rate = task % 2 === 0 ? 0.2 : 0.8;
      return { trials, successes: Array.from({ length: trials }, () => random.chance(rate)).filter(Boolean).length };
    });
    const split = splitVariance(counts);
    expect(split?.betweenTasks).toBeCloseTo(0.09, 2);
    expect(split?.betweenTrials).toBeCloseTo(0.16, 2);
    expect(split?.taskShare).toBeCloseTo(0.36, 1);
  });

  it('never reports a variance below 0, and no share without variance', () => {
    // Every task once: the rates vary by 0, less than trials would make them.
    expect(splitVariance([1, 1, 1].map((successes) => ({ trials: 2, successes })))?.betweenTasks).toBe(0);
    expect(splitVariance([2, 2].map((successes) => ({ trials: 2, successes })))).toEqual({
      betweenTasks: 0,
      betweenTrials: 0,
      taskShare: null,
    });
  });

  it('is not known from single trials, or from one task', () => {
    const once = { trials: 1, successes: 1 };
    expect(splitVariance([once, once, once])).toBeNull();
    expect(splitVariance([{ trials: 4, successes: 2 }, once])).toBeNull();
  });
});

describe('the flip rate', () => {
  it('counts tasks of which trials disagree, and pairs of them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(0, 1), { maxLength: 5 }), { maxLength: 8 }), (tasks) => {
        const repeated = tasks.filter((rewards) => rewards.length >= 2);
        const flipped = repeated.filter((rewards) => new Set(rewards).size === 2);
        const disagreeing = repeated.map((rewards) => {
          const pairs = rewards.flatMap((reward, i) => rewards.slice(i + 1).map((other) => Number(reward !== other)));
          return mean(pairs);
        });
        const { tasks: counted, flipped: counts, rate, disagreement } = flipRate(tasks.map(countOf));
        expect([counted, counts]).toEqual([repeated.length, flipped.length]);
        if (repeated.length === 0) expect([rate, disagreement]).toEqual([null, null]);
        else {
          expect(rate).toBe(flipped.length / repeated.length);
          expect(disagreement).toBeCloseTo(mean(disagreeing), 12);
        }
      }),
    );
  });
});
