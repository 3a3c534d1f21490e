import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { fetchProgress } from '../../src/temporal/client/index.ts';
import { episodeName, laneWorkflowId, type SweepProgress } from '../../src/evaluation/index.ts';
import { pause, progress, resume, setLimits } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import { eventually } from '../helpers/eventually.ts';
import { eventCount, scheduledActivities } from './history.ts';
import type { Rig } from './rig.ts';
import { names, rigWith, start, tasks } from './sweep-rig.ts';

async function laneProgress(rig: Rig, index: number): Promise<SweepProgress> {
  return rig.client.workflow.getHandle(laneWorkflowId(rig.run.runId, index)).query<SweepProgress, []>(progress);
}

describe('a long sweep', () => {
  it('splits its window among lanes, shows them as one, and keeps its own history small', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(7), maxConcurrency: 4, tuning: { laneSize: 3 } });
    await gate.openedCount(4);
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
        total: 7,
        ended: 0,
        running: 4,
        maxConcurrency: 4,
        lanes: [0, 1, 2].map((index) => laneWorkflowId(rig.run.runId, index)),
      });
    });
    expect(gate.held.toSorted()).toEqual(names(0, 1, 3, 6));
    gate.release(...names(0));
    await gate.openedCount(5);
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 1, running: 4 });
    });
    gate.openWide();
    expect(await handle.result()).toMatchObject({
      total: 7,
      status: 'completed',
      totals: { ended: 7, outcomes: { user_stop: 7 }, calls: 21 },
    });
    expect(gate.mostOpen).toBe(4);
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 2, 3, 4, 5, 6));
    expect(await rig.publishedEpisodes()).toBe(7);
    const history = await handle.fetchHistory();
    expect(scheduledActivities(history).map(({ type }) => type)).toEqual(['openRun', 'sumRecorded', 'closeRun']);
    // Some 50 where events come together, and workflow tasks of their own for each of them where the machine is slow.
    expect(eventCount(history)).toBeLessThan(100);
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 7, running: 0, lanes: [] });
  });

  it("gives the others a lane's part of the window when it ends", async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 2, tuning: { laneSize: 4 } });
    await gate.openedCount(2);
    expect(gate.held.toSorted()).toEqual(names(0, 4));
    gate.release(...names(4));
    await gate.openedCount(3);
    expect(gate.held.toSorted()).toEqual(names(0, 1));
    gate.openWide();
    expect((await handle.result()).totals.ended).toBe(5);
    expect(gate.mostOpen).toBe(2);
  });

  it('splits all of its window among lanes of which one is too short for an equal part', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(7), maxConcurrency: 6, tuning: { laneSize: 3 } });
    await gate.openedCount(6);
    expect(gate.held.toSorted()).toEqual(names(0, 1, 2, 3, 4, 6));
    gate.openWide();
    expect((await handle.result()).totals.ended).toBe(7);
    expect(gate.mostOpen).toBe(6);
  });

  it('forwards pause, resume and the width of the window', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(6), maxConcurrency: 2, tuning: { laneSize: 3 } });
    await gate.openedCount(2);
    await handle.executeUpdate(pause);
    for (const lane of [0, 1]) await eventually(async () => expect((await laneProgress(rig, lane)).paused).toBe(true));
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 5 }] });
    await eventually(async () => {
      expect([(await laneProgress(rig, 0)).maxConcurrency, (await laneProgress(rig, 1)).maxConcurrency]).toEqual([
        3, 2,
      ]);
    });
    expect(gate.opened).toHaveLength(2);
    await handle.executeUpdate(resume);
    await gate.openedCount(5);
    // Narrower than there are lanes: one of them waits for the other to end.
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 1 }] });
    await eventually(async () => {
      expect([(await laneProgress(rig, 0)).maxConcurrency, (await laneProgress(rig, 1)).maxConcurrency]).toEqual([
        1, 0,
      ]);
    });
    gate.openWide();
    expect((await handle.result()).totals.ended).toBe(6);
  });

  it('can be paused where one lane ends and the next would begin', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(2), maxConcurrency: 1, tuning: { laneSize: 1 } });
    await gate.openedCount(1);
    await handle.executeUpdate(pause);
    gate.openWide();
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
        ended: 1,
        lanes: [],
        status: 'paused',
      });
    });
    expect(gate.opened).toEqual(names(0));
    await handle.executeUpdate(resume);
    expect((await handle.result()).totals.ended).toBe(2);
  });

  it('waits for its cancelled lanes, and they for their episodes', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(6), maxConcurrency: 4, tuning: { laneSize: 3 } });
    await gate.openedCount(4);
    await handle.cancel();
    const error: unknown = await handle.result().catch((failure: unknown) => failure);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(gate.recorded.toSorted()).toEqual(names(0, 1, 3, 4));
    expect(await rig.log.readRun()).toMatchObject({ status: 'cancelled' });
  });

  it('with a budget has one lane at a time, and stops in it', async () => {
    const gate = new Gate(true);
    const rig = await rigWith(gate.activities);
    // Three calls of 0.001 USD an episode: the second lane's first episode is the last.
    const handle = await start(rig, {
      plan: tasks(4),
      maxConcurrency: 1,
      maxCostUsd: 0.0085,
      tuning: { laneSize: 2 },
    });
    expect(await handle.result()).toMatchObject({ status: 'budget_reached', totals: { ended: 3 } });
    expect(gate.opened).toEqual(names(0, 1, 2));
  });

  it('of which a lane fails opens no further one, and ends as failed after those that are open', async () => {
    const gate = new Gate(true);
    const rig = await rigWith((real) => ({
      ...gate.activities(real),
      findRecorded: (input) =>
        input.start === 0 ? Promise.reject(ApplicationFailure.nonRetryable('denied')) : real.findRecorded(input),
    }));
    const handle = await start(rig, { plan: tasks(6), maxConcurrency: 2, tuning: { laneSize: 2 } });
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(gate.recorded.toSorted()).toEqual(names(2, 3));
    expect(await rig.log.readRun()).toMatchObject({ status: 'failed' });
  });

  it('resumed skips what its lanes have recorded', async () => {
    const gate = new Gate(true);
    const rig = await rigWith(gate.activities);
    const lanes = { maxConcurrency: 2, tuning: { laneSize: 2 } };
    await (await start(rig, { plan: tasks(3), ...lanes })).result();
    expect(await (await start(rig, { plan: { ...tasks(3), numTrials: 2 }, ...lanes })).result()).toMatchObject({
      totals: { ended: 6, resumed: 3, calls: 18 },
    });
    const second = [0, 1, 2].map((taskId) => episodeName({ taskId, trial: 1 }));
    expect(gate.opened.toSorted()).toEqual([...names(0, 1, 2), ...second].toSorted());
  });
});
