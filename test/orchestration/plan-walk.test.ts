import { describe, expect, it } from 'vitest';
import { PlanWalk } from '../../src/orchestration/testing.ts';
import { NO_TOTALS, type SweepInput } from '../../src/evaluation/index.ts';

type WalkInput = ConstructorParameters<typeof PlanWalk>[0];

function walk(changes: Partial<WalkInput> = {}): PlanWalk {
  const config = { seed: 1 } as SweepInput['config'];
  return new PlanWalk({ plan: { taskIds: [4, 5, 6], numTrials: 2, shuffle: false }, config, ...changes });
}

const TASK_4 = { taskId: 4, trial: 0 };
const TASK_5 = { taskId: 5, trial: 0 };

describe('a walk over the plan', () => {
  it('covers the whole plan, or the slice of a lane', () => {
    expect([walk().next, walk().size, walk().total()]).toEqual([0, 6, 6]);
    const lane = walk({ lane: { index: 1, start: 2, end: 5 } });
    expect([lane.next, lane.size, lane.total()]).toEqual([2, 3, 6]);
    lane.next = 5;
    expect(lane.hasMore).toBe(false);
  });

  it('continues where its workflow run continued as new', () => {
    const state = { paused: false, maxConcurrency: 1, next: 4, totals: NO_TOTALS, only: [TASK_4] };
    expect(walk({ state })).toMatchObject({ next: 4, restriction: { only: [TASK_4] }, isFollowed: false });
    expect(walk({ state: { ...state, onlyNext: [TASK_5] } }).isFollowed).toBe(true);
  });

  it('counts added trials with the next walk', () => {
    const extended = walk();
    extended.numTrials = 3;
    expect([extended.size, extended.total(), extended.plan().numTrials]).toEqual([6, 9, 3]);
  });
});

describe('the place to continue at', () => {
  it('is this one if no walk follows', () => {
    const one = walk({ only: [TASK_4] });
    one.next = 3;
    expect(one.placeNext(NO_TOTALS, false, true)).toEqual({ next: 3, totals: NO_TOTALS, only: [TASK_4] });
  });

  it('is the start, with totals to be counted anew, if a walk over everything follows', () => {
    const one = walk({ only: [TASK_4] });
    one.next = 3;
    one.walkAgain([TASK_4]);
    one.walkAgain();
    one.walkAgain([TASK_5]);
    expect(one.placeNext(NO_TOTALS, true, true)).toEqual({ next: 0, totals: null });
  });

  it('is the start with the same restriction if only a lane has stopped', () => {
    expect(walk({ only: [TASK_4] }).placeNext(NO_TOTALS, true, false)).toEqual({
      next: 0,
      totals: null,
      only: [TASK_4],
    });
  });

  it('keeps a walk over a few episodes for later while this one is unfinished', () => {
    const one = walk();
    one.next = 3;
    one.walkAgain([TASK_4]);
    one.walkAgain([TASK_5]);
    const few = [TASK_4, TASK_5];
    expect(one.placeNext(NO_TOTALS, true, true)).toEqual({ next: 3, totals: NO_TOTALS, onlyNext: few });
    expect(one.placeNext(NO_TOTALS, true, false)).toEqual({ next: 0, totals: null, only: few });
  });
});

describe('an episode that runs again', () => {
  it('is in the totals if the walk is past it, or does not run it', () => {
    const one = walk({ only: [TASK_4] });
    one.next = 1;
    const isCounted = one.countsReached();
    expect([TASK_4, TASK_5, { taskId: 6, trial: 1 }].map(isCounted)).toEqual([true, true, true]);
    const all = walk();
    all.next = 1;
    expect([TASK_4, TASK_5].map(all.countsReached())).toEqual([true, false]);
  });
});
