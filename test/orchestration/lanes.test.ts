/** Lanes of a long sweep: which are open, and what each of them is sent. */

import { describe, expect, it } from 'vitest';
import type { SweepInput } from '../../src/evaluation/index.ts';
import { StagedFailure, SweepStage, tasks } from './sweep-stage.ts';

/** Starts the lanes of a sweep. */
async function startLanes(changes: Partial<SweepInput>, laneSize: number) {
  const stage = new SweepStage(changes);
  const ended = stage.runLanes(laneSize);
  ended.catch(() => undefined);
  await stage.settle();
  return { stage, ended, lanes: stage.lanes };
}

describe('the window of a long sweep', () => {
  it('is split among lanes, and the part of one that ends is given to the others', async () => {
    const { stage, ended, lanes } = await startLanes({ plan: tasks(5), maxConcurrency: 2 }, 4);
    expect(lanes.map(({ input }) => [input.lane, input.maxConcurrency])).toEqual([
      [{ index: 0, start: 0, end: 4 }, 1],
      [{ index: 1, start: 4, end: 5 }, 1],
    ]);
    lanes[1]?.end();
    await stage.settle();
    expect(lanes[0]?.sent).toMatchObject([{ maxConcurrency: 2 }]);
    lanes[0]?.end();
    await stage.settle();
    await ended;
    expect(stage.monitor.result()).toMatchObject({ total: 5, status: 'completed', totals: { ended: 5 } });
  });

  it('is split whole where a lane is too short for an equal part', async () => {
    const { lanes } = await startLanes({ plan: tasks(7), maxConcurrency: 6 }, 3);
    expect(lanes.map(({ input }) => input.maxConcurrency)).toEqual([3, 2, 1]);
  });

  it('is split anew when it changes, and some lanes have no part of a narrow one', async () => {
    const { stage, lanes } = await startLanes({ plan: tasks(6), maxConcurrency: 2 }, 3);
    stage.monitor.pause(true);
    await stage.settle();
    stage.monitor.limit({ maxConcurrency: 5 });
    await stage.settle();
    stage.monitor.pause(false);
    stage.monitor.limit({ maxConcurrency: 1 });
    await stage.settle();
    expect(lanes.map(({ sent }) => sent.map(({ paused, maxConcurrency }) => [paused, maxConcurrency]))).toEqual([
      [
        [true, 1],
        [true, 3],
        [false, 1],
      ],
      [
        [true, 1],
        [true, 2],
        [false, 0],
      ],
    ]);
  });
});

describe('a long sweep', () => {
  it('that is paused opens no further lane', async () => {
    const { stage, ended, lanes } = await startLanes({ plan: tasks(2), maxConcurrency: 1 }, 1);
    stage.monitor.pause(true);
    lanes[0]?.end();
    await stage.settle();
    expect(lanes).toHaveLength(1);
    stage.monitor.pause(false);
    await stage.settle();
    lanes[1]?.end();
    await stage.settle();
    await ended;
  });

  it('with a budget has one lane at a time, which gets what is left of it', async () => {
    const { stage, lanes } = await startLanes({ plan: tasks(4), maxConcurrency: 4, maxCostUsd: 2 }, 2);
    expect(lanes.map(({ input }) => input.maxCostUsd)).toEqual([2]);
    lanes[0]?.end({ totals: { ...stage.monitor.totals, ended: 2, knownCostUsd: 1.5 } });
    await stage.settle();
    expect(lanes.map(({ input }) => input.maxCostUsd)).toEqual([2, 0.5]);
  });

  it('of which a lane fails opens no further one, and fails after those that are open', async () => {
    const { stage, ended, lanes } = await startLanes({ plan: tasks(6), maxConcurrency: 2 }, 2);
    expect(lanes).toHaveLength(2);
    lanes[0]?.fail(new StagedFailure('denied'));
    await stage.settle();
    expect(lanes).toHaveLength(2);
    lanes[1]?.end();
    await stage.settle();
    await expect(ended).rejects.toThrow('denied');
    expect(stage.monitor.totals.ended).toBe(2);
  });

  it('resumes a lane that has paused itself', async () => {
    const { stage, lanes } = await startLanes({ plan: tasks(4), maxConcurrency: 2 }, 2);
    stage.monitor.laneHalted('run-1/lane-0', 'no credit');
    stage.monitor.pause(false);
    await stage.settle();
    expect(lanes.map(({ sent }) => sent.length)).toEqual([1, 0]);
    expect(lanes[0]?.sent).toMatchObject([{ paused: false }]);
  });
});
