import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SweepOrder } from '../../src/benchmarks/index.ts';

function listed(order: SweepOrder): string[] {
  return Array.from({ length: order.length }, (_, position) => {
    const { taskId, trial } = order.at(position);
    return `${String(taskId)}/${String(trial)}`;
  });
}

describe('the order of a sweep', () => {
  it('runs trial by trial, through the tasks in the given order', () => {
    const order = new SweepOrder({ taskIds: [5, 2, 9], numTrials: 2, shuffle: false }, 10);
    expect(listed(order)).toEqual(['5/0', '2/0', '9/0', '5/1', '2/1', '9/1']);
  });

  it('plays each task under all conditions before the next, base first', () => {
    const order = new SweepOrder({ taskIds: [5, 2], numTrials: 2, shuffle: false, conditions: ['b', 'a'] }, 10);
    const all = Array.from({ length: order.length }, (_, position) => order.at(position));
    expect(all.map(({ taskId, trial, condition = 'base' }) => `${taskId}/${trial}/${condition}`).join(' ')).toBe(
      '5/0/base 5/0/b 5/0/a 2/0/base 2/0/b 2/0/a 5/1/base 5/1/b 5/1/a 2/1/base 2/1/b 2/1/a',
    );
    expect(all.map((key) => 'condition' in key).slice(0, 3)).toEqual([false, true, true]);
  });

  it('shuffles each trial by seed and trial alone', () => {
    const plan = { taskIds: Array.from({ length: 20 }, (_, id) => id), numTrials: 3, shuffle: true };
    const all = listed(new SweepOrder(plan, 10));
    expect(listed(new SweepOrder(plan, 10))).toEqual(all);
    expect(listed(new SweepOrder({ ...plan, numTrials: 1 }, 10))).toEqual(all.slice(0, 20));
    expect(listed(new SweepOrder(plan, 11))).not.toEqual(all);
    // Pinned: sweeps in progress depend on it.
    expect(all.slice(0, 5)).toEqual(['11/0', '15/0', '5/0', '8/0', '4/0']);
  });

  it('has every episode once, in any order of access', () => {
    const ids = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 4 }), fc.boolean(), fc.nat(), (taskIds, numTrials, shuffle, seed) => {
        const plan = { taskIds, numTrials, shuffle };
        const all = listed(new SweepOrder(plan, seed));
        expect(new Set(all).size).toBe(taskIds.length * numTrials);
        const backwards = new SweepOrder(plan, seed);
        const asked = all.map((_, at) => backwards.at(all.length - 1 - at)).reverse();
        expect(asked.map(({ taskId, trial }) => `${String(taskId)}/${String(trial)}`)).toEqual(all);
      }),
    );
  });

  it('has no position outside its length', () => {
    const order = new SweepOrder({ taskIds: [1], numTrials: 1, shuffle: false }, 0);
    expect(() => order.at(1)).toThrow("position 1 is outside the run's 1 episodes");
    expect(() => new SweepOrder({ taskIds: [], numTrials: 3, shuffle: true }, 0).at(0)).toThrow(RangeError);
  });
});
