import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { passHatOfTask } from '../../src/stats/index.ts';
import { binomial } from '../../src/stats/testing.ts';
import { computePassHats, passHatKOwnTrials, type TrialReward } from '../../src/results/metrics/index.ts';

/** Trials of a task with their rewards; some tasks have fewer. */
const ragged = fc
  .array(fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
  .map((tasks) => tasks.flatMap((rewards, taskId) => rewards.map((reward, trial) => ({ taskId, trial, reward }))));

/** All ways to choose k of them. */
function subsets<T>(items: readonly T[], k: number): T[][] {
  const [first, ...rest] = items;
  if (k === 0) return [[]];
  if (first === undefined) return [];
  return [...subsets(rest, k - 1).map((chosen) => [first, ...chosen]), ...subsets(rest, k)];
}

/** The definition: of all choices of k trials of a task, the share in which all succeed. */
function byEnumeration(rewards: readonly number[], k: number): number {
  const chosen = subsets(rewards, k);
  return chosen.filter((trials) => trials.every((reward) => reward === 1)).length / chosen.length;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function byTask(rows: readonly TrialReward[]): number[][] {
  const tasks = new Map<number, number[]>();
  for (const { taskId, reward } of rows) tasks.set(taskId, [...(tasks.get(taskId) ?? []), reward]);
  return [...tasks.values()];
}

describe('pass^k', () => {
  it('is the share of all choices of k trials that succeed together, a missing trial failing', () => {
    fc.assert(
      fc.property(ragged, (rows) => {
        const trials = new Set(rows.map(({ trial }) => trial)).size;
        const filled = byTask(rows).map((rewards) => [
          ...rewards,
          ...new Array<number>(trials - rewards.length).fill(0),
        ]);
        for (const { k, value } of computePassHats(rows)) {
          expect(value).toBeCloseTo(mean(filled.map((rewards) => byEnumeration(rewards, k))), 12);
        }
      }),
    );
  });

  it('is the same over the trials that a task has, of the tasks that have k of them', () => {
    fc.assert(
      fc.property(ragged, (rows) => {
        for (const { k, value, tasks } of passHatKOwnTrials(rows)) {
          const enough = byTask(rows).filter((rewards) => rewards.length >= k);
          expect(tasks).toBe(enough.length);
          expect(value).toBeCloseTo(mean(enough.map((rewards) => byEnumeration(rewards, k))), 12);
        }
      }),
    );
  });

  it('does not depend on the order of episodes, or on the numbers of tasks and trials', () => {
    const shuffled = ragged.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(shuffled, ([rows, others]) => {
        const renamed = others.map((row) => ({ ...row, taskId: 100 - row.taskId, trial: row.trial * 3 + 1 }));
        const [values, again] = [computePassHats(rows), computePassHats(renamed)].map((list) =>
          list.map(({ value }) => value),
        );
        again?.forEach((value, index) => expect(value).toBeCloseTo(values?.[index] ?? NaN, 12));
        expect(again).toHaveLength(values?.length ?? NaN);
      }),
    );
  });

  it('is the double that is nearest to the true share, also where the counts fit no double', () => {
    const share = fc.integer({ min: 1, max: 300 }).chain((n) =>
      fc.tuple(fc.constant(n), fc.integer({ min: 1, max: n })).chain(([trials, k]) =>
        fc.record({
          trials: fc.constant(trials),
          k: fc.constant(k),
          successes: fc.integer({ min: k, max: trials }),
        }),
      ),
    );
    // Shares and their halves of an ulp are whole numbers of this unit: the least share is above 2 ** -300.
    const bits = 400;
    const exact = (value: number) => BigInt(value * 2 ** bits);
    const size = (value: bigint) => (value < 0n ? -value : value);
    fc.assert(
      fc.property(share, ({ trials, k, successes }) => {
        const value = passHatOfTask(successes, trials, k);
        const [part, whole] = [binomial(successes, k), binomial(trials, k)];
        const error = size((part << BigInt(bits)) - exact(value) * whole);
        const halfUlp = exact(2 ** (Math.floor(Math.log2(value)) - 53));
        expect(error <= halfUlp * whole).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  // With a true rate p and n trials, the mean over all outcomes of C(c,k)/C(n,k) is p^k.
  it('estimates p^k without bias', () => {
    for (const [n, k] of [
      [4, 1],
      [4, 2],
      [4, 4],
      [8, 3],
    ] as const) {
      const p = 0.7;
      let chance = (1 - p) ** n;
      let expected = 0;
      for (let c = 0; c <= n; c++) {
        expected += chance * passHatOfTask(c, n, k);
        chance *= ((n - c) / (c + 1)) * (p / (1 - p));
      }
      expect(expected).toBeCloseTo(p ** k, 12);
    }
  });
});
