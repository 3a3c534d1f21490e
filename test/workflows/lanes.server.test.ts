import type { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
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
