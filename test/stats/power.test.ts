import { describe, expect, it } from 'vitest';

import { Random } from '../../packages/task-generator/src/testing.ts';
import {
  dealTest,
  signFlipTest,
  tasksToShow,
  trialsToShow,
  minimumDetectableEffect,
  type PlannedTask,
} from '../../src/stats/index.ts';

function drawRate(random: Random, rate: number, trials: number): number {
  return Array.from({ length: trials }, () => random.next() < rate).filter(Boolean).length / trials;
}

/** Tasks of these rates in both runs, with as many trials each. */
function plan(rates: readonly number[], trials: number | readonly number[]): PlannedTask[] {
  return rates.map((rate, task) => {
    const n = typeof trials === 'number' ? trials : (trials[task % trials.length] ?? 1);
    return { before: rate, after: rate, trialsBefore: n, trialsAfter: n };
  });
}

function powerOf(name: string, tasks: readonly PlannedTask[], effect: number): number {
  const random = new Random(name);
  const cases = 400;
  let found = 0;
  for (let i = 0; i < cases; i++) {
    const differences = tasks.map(({ before, after, trialsBefore, trialsAfter }) => {
      return drawRate(random, after + effect, trialsAfter) - drawRate(random, before, trialsBefore);
    });
    if (signFlipTest(differences).p < 0.05) found += 1;
  }
  return found / cases;
}

describe('the minimum detectable effect', () => {
  const spread = (tasks: number) => Array.from({ length: tasks }, (_, task) => 0.05 + (0.3 * task) / tasks);

  // Binomial with p = 0.8 over 400 cases, and the same for the simulation inside: three deviations are 0.08.
  it.each([
    [10, 1],
    [10, 4],
    [20, 1],
    [20, 4],
    [60, 2],
  ])('is found by the test in about 80 of 100 cases: %d tasks × %d', (tasks, trials) => {
    const planned = plan(spread(tasks), trials);
    const effect = minimumDetectableEffect(planned) ?? NaN;
    expect(powerOf(`promised ${tasks} ${trials}`, planned, effect)).toBeGreaterThan(0.72);
    expect(powerOf(`promised ${tasks} ${trials}`, planned, effect)).toBeLessThan(0.9);
  });

  it('adds up the variances of tasks that have different numbers of trials', () => {
    const planned = plan(spread(40), [1, 4]);
    const effect = minimumDetectableEffect(planned) ?? NaN;
    expect(powerOf('ragged', planned, effect)).toBeGreaterThan(0.72);
    expect(effect).toBeGreaterThan((minimumDetectableEffect(plan(spread(40), 4)) ?? NaN) * 1.2);
  });

  it('is absent if even the largest possible difference is shown less often', () => {
    expect(minimumDetectableEffect(plan(new Array<number>(10).fill(0.5), 1))).toBeNull();
    expect(minimumDetectableEffect(plan(new Array<number>(5).fill(0), 100))).toBeNull();
    for (const rate of [0.1, 0.5, 0.9]) {
      const effect = minimumDetectableEffect(plan(new Array<number>(12).fill(rate), 1));
      if (effect !== null) expect(effect).toBeLessThanOrEqual(Math.max(rate, 1 - rate) + 1e-9);
    }
  });

  it('is the same for failures as for successes', () => {
    const rates = spread(20);
    const mirrored = minimumDetectableEffect(
      plan(
        rates.map((rate) => 1 - rate),
        2,
      ),
    );
    expect(mirrored).toBeCloseTo(minimumDetectableEffect(plan(rates, 2)) ?? NaN, 9);
  });
});

describe('trials and tasks that show a difference', () => {
  // t quantiles with 99 degrees of freedom: 1.98422 + 0.84523 = 2.82945; 2·0.2/(100·(0.0895/2.82945)²) = 3.998.
  it('follow from the variance', () => {
    expect(trialsToShow({ tasks: 100, betweenTrials: 0.2 }, 0.0895)).toBe(4);
    // 2.801585·√(0.5)/0.1 = 19.81, and its square 392.4.
    expect(tasksToShow(Math.sqrt(0.5), 0.1)).toBe(393);
  });

  // What is left of 100·(d/2.82945)² after the interaction of 0.04: nothing for d = 0.056.
  it('are absent if the interaction alone hides the difference, or there are too few tasks', () => {
    expect(trialsToShow({ tasks: 100, betweenTrials: 0.2, interaction: 0.04 }, 0.056)).toBeNull();
    expect(trialsToShow({ tasks: 100, betweenTrials: 0.2, interaction: 0.04 }, 0.12)).toBe(3);
    expect([
      trialsToShow({ tasks: 5, betweenTrials: 0.2 }, 0.5),
      trialsToShow({ tasks: 20, betweenTrials: 0 }, 0.1),
      trialsToShow({ tasks: 0, betweenTrials: 0.2 }, 0.1),
    ]).toEqual([null, null, null]);
  });
});

describe('the test that deals trials to the runs', () => {
  // Of the six ways to deal two successes to 2 + 2 trials, two are as far apart as 2 of 2 and 0 of 2.
  it('finds the share of deals that are as far apart', () => {
    const task = { successesBefore: 0, trialsBefore: 2, successesAfter: 2, trialsAfter: 2 };
    expect(dealTest([task])).toBeCloseTo(1 / 3, 9);
    expect(dealTest([{ ...task, successesAfter: 0 }])).toBe(1);
    // One success of 1 + 8 trials: 1/9 for the one, whose distance of 1 none of the others reaches.
    expect(dealTest([{ successesBefore: 1, trialsBefore: 1, successesAfter: 0, trialsAfter: 8 }])).toBeCloseTo(
      1 / 9,
      9,
    );
  });

  it('is nearly the same by the normal approximation of large runs', () => {
    const random = new Random('large');
    const tasks = (trialsAfter: number) =>
      Array.from({ length: 200 }, () => ({
        successesBefore: Math.floor(random.next() * 4),
        trialsBefore: 3,
        successesAfter: Math.floor(random.next() * (trialsAfter + 1)),
        trialsAfter,
      }));
    // 1/3 and 1/841 have no unit in common that would be taken.
    for (const trials of [4, 841]) {
      const p = dealTest(tasks(trials));
      expect(p > 0 && p <= 1).toBe(true);
    }
  });

  // Equal agents, ten tasks that nine of ten trials solve, one trial against eight.
  it('keeps its error rate with one trial against eight, where random signs do not', () => {
    const random = new Random('one against eight');
    const cases = 600;
    let [signs, deals] = [0, 0];
    for (let i = 0; i < cases; i++) {
      const tasks = Array.from({ length: 10 }, () => ({
        successesBefore: drawRate(random, 0.9, 1),
        trialsBefore: 1,
        successesAfter: 8 * drawRate(random, 0.9, 8),
        trialsAfter: 8,
      }));
      if (signFlipTest(tasks.map((task) => task.successesAfter / 8 - task.successesBefore)).p < 0.05) signs += 1;
      if (dealTest(tasks) < 0.05) deals += 1;
    }
    expect(signs / cases).toBeGreaterThan(0.15);
    expect(deals / cases).toBeLessThan(0.06);
  });
});
