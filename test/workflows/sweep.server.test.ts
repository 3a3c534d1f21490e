import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowExecutionAlreadyStartedError, type WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { attachSweep, fetchProgress, startSweep } from '../../src/temporal/client/index.ts';
import { episodeName, laneWorkflowId, type SweepProgress } from '../../src/evaluation/index.ts';
import { setLimits, pause, progress, resume } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import type { Rig } from './rig.ts';
import { names, rigWith, start, tasks } from './sweep-rig.ts';
import { eventually } from '../helpers/eventually.ts';
import { eventCount, scheduledActivities } from './history.ts';

async function recordedNames(rig: Rig): Promise<string[]> {
  return (await rig.log.listEpisodes()).episodes.map(episodeName);
}

describe('the window of a sweep', () => {
  it('is kept full and never exceeded, and each result counts once', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(6), maxConcurrency: 2 });
    await gate.openedCount(2);
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
      total: 6,
      ended: 0,
      running: 2,
      status: 'running',
      open: names(0, 1),
    });
    gate.release(...names(1));
    await gate.openedCount(3);
    expect(gate.held.sort()).toEqual(names(0, 2));
    gate.openWide();
    expect(await handle.result()).toMatchObject({
      total: 6,
      status: 'completed',
      totals: { ended: 6, resumed: 0, outcomes: { user_stop: 6 }, calls: 18, steps: 6 },
    });
    expect(gate.mostOpen).toBe(2);
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 2, 3, 4, 5));
    expect(await recordedNames(rig)).toEqual(names(0, 1, 2, 3, 4, 5));
    expect(await rig.log.readRun()).toMatchObject({ status: 'completed' });
  });
});

describe('a sweep with failing episodes', () => {
  it('continues, counts them, and runs only them again when it is resumed', async () => {
    const gate = new Gate(true);
    let isBroken = true;
    const rig = await rigWith((real) => {
      const gated = gate.activities(real);
      return {
        ...gated,
        complete: (input) =>
          isBroken && input.episode.taskId === 1
            ? Promise.reject(ApplicationFailure.nonRetryable('503', 'ModelUnavailable'))
            : (gated.complete ?? real.complete)(input),
      };
    });
    expect((await (await start(rig)).result()).totals).toMatchObject({
      ended: 3,
      outcomes: { user_stop: 2, infrastructure_error: 1 },
    });
    isBroken = false;
    expect((await (await start(rig)).result()).totals).toMatchObject({
      ended: 3,
      resumed: 2,
      calls: 9,
      outcomes: { user_stop: 3 },
    });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 2));
  });

  it('waits for an episode of an earlier run that is still winding up', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const earlier = await rig.startEpisode(rig.episodeInput({ taskId: 1 }));
    await gate.openedCount(1);
    const handle = await start(rig);
    await gate.openedCount(2);
    gate.openWide();
    await earlier.result();
    expect(await handle.result()).toMatchObject({ totals: { ended: 3, outcomes: { user_stop: 3 } } });
  });
});

describe('a sweep that continues as new', () => {
  it('carries its totals and its steering over, and loses and doubles nothing', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 1, tuning: { continueAsNewAfter: 2 } });
    const first = (await handle.describe()).runId;
    await gate.openedCount(1);
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 2 }] });
    gate.openWide();
    expect(await handle.result()).toMatchObject({ total: 5, totals: { ended: 5, resumed: 0, calls: 15 } });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 2, 3, 4));
    const { status } = await rig.client.workflow.getHandle(handle.workflowId, first).describe();
    expect(status.name).toBe('CONTINUED_AS_NEW');
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ maxConcurrency: 2, ended: 5 });
  });
});

describe('steering a sweep', () => {
  it('cancels it: open episodes are recorded and the results published before it ends', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(4), maxConcurrency: 2 });
    await gate.openedCount(2);
    gate.release(...names(0));
    await gate.openedCount(3);
    await handle.cancel();
    const error: unknown = await handle.result().catch((failure: unknown) => failure);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(gate.recorded.toSorted()).toEqual(names(0, 1, 2));
    expect(await rig.log.readEpisode({ taskId: 1, trial: 0 })).toMatchObject({ outcome: { kind: 'cancelled' } });
    expect(await rig.log.readRun()).toMatchObject({ status: 'cancelled' });
    // The benchmark's file has no word for an episode that was cancelled.
    expect(await rig.publishedEpisodes()).toBe(1);
  });

  it('cancels it while the run log is being read', async () => {
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const rig = await rigWith((real) => ({
      findRecorded: async (input) => {
        isAsked();
        await answered;
        return await real.findRecorded(input);
      },
    }));
    const handle = await start(rig);
    await asked;
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    answer();
    expect(await rig.log.readRun()).toMatchObject({ status: 'cancelled' });
  });

  it('stops opening episodes when its budget is used up', async () => {
    const rig = await rigWith(new Gate(true).activities);
    // Three calls of 0.001 USD an episode.
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 1, maxCostUsd: 0.005 });
    expect(await handle.result()).toMatchObject({ total: 5, status: 'budget_reached', totals: { ended: 2 } });
    expect(await rig.log.readRun()).toMatchObject({ status: 'budget_reached' });
  });

  it('is not started beside the one that runs, which can be attached to', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const first = await startSweep(rig.client, rig.sweepInput());
    await gate.openedCount(2);
    const other = rig.sweepInput({ maxConcurrency: 1 });
    await expect(startSweep(rig.client, other)).rejects.toBeInstanceOf(WorkflowExecutionAlreadyStartedError);
    const second = await attachSweep(rig.client, first.handle.workflowId);
    expect(second?.workflowRunId).toBe(first.workflowRunId);
    gate.openWide();
    expect(await second?.handle.result()).toEqual(await first.handle.result());
    expect(gate.opened).toHaveLength(3);
    expect(await attachSweep(rig.client, first.handle.workflowId)).toBeNull();
  });
});

describe('a record that is lost', () => {
  it('makes the run incomplete, until it is resumed', async () => {
    const lost: string[] = [];
    const rig = await rigWith((real) => ({
      ...new Gate(true).activities(real),
      // A disk that keeps a part of what it was given.
      record: async (input) => {
        const recorded = await real.record(input);
        if (input.episode.taskId !== 1 || lost.length > 0) return recorded;
        const file = join(rig.log.paths.episodes, 'task-1.trial-0.json');
        lost.push(file);
        await truncate(file, 100);
        return recorded;
      },
    }));
    expect(await (await start(rig)).result()).toMatchObject({ status: 'incomplete', totals: { ended: 3 } });
    expect(await rig.log.readRun()).toMatchObject({ status: 'incomplete' });
    const again = await (await start(rig)).result();
    expect(again).toMatchObject({ status: 'completed', totals: { ended: 3, resumed: 2 } });
    expect(await rig.log.readRun()).toMatchObject({ status: 'completed' });
  });
});

describe('a run log that cannot be read', () => {
  it('fails the sweep, which says so in its run log', async () => {
    const rig = await rigWith(() => ({
      findRecorded: () => Promise.reject(ApplicationFailure.nonRetryable('denied')),
    }));
    const handle = await start(rig);
    await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { message: 'denied' } } });
    expect(await rig.log.readRun()).toMatchObject({ status: 'failed' });
  });
});

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
