import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowExecutionAlreadyStartedError, type WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { SweepOrder } from '../../src/benchmarks/index.ts';
import { attachSweep, fetchProgress, startSweep } from '../../src/temporal/client/index.ts';
import { episodeName } from '../../src/evaluation/index.ts';
import { pause, resume, setLimits } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import { eventually } from '../helpers/eventually.ts';
import type { Rig } from './rig.ts';
import { names, rigWith, start, tasks } from './sweep-rig.ts';

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

  it('opens episodes in the order of the plan, shuffled per trial when asked to', async () => {
    const gate = new Gate(true);
    const rig = await rigWith(gate.activities);
    const plan = { taskIds: [4, 2, 9, 7], numTrials: 2, shuffle: true };
    await (await start(rig, { plan, maxConcurrency: 1 })).result();
    const order = new SweepOrder(plan, rig.config().seed);
    expect(gate.opened).toEqual(Array.from({ length: order.length }, (_, position) => episodeName(order.at(position))));
  });

  it('opens episodes that repeat their conversation once a worker did not know that of an earlier one', async () => {
    const kept = new Map<number, number[]>();
    const rig = await rigWith((real) => ({
      complete: (input) => {
        const { taskId } = input.episode;
        const { keep } = input.transcript;
        const before = kept.get(taskId) ?? [];
        kept.set(taskId, [...before, keep]);
        // As a second worker would, which another call of the episode has reached.
        if (taskId === 1 && keep > 0) return Promise.reject(ApplicationFailure.nonRetryable('', 'TranscriptMissing'));
        return real.complete(input);
      },
    }));
    await (await start(rig, { plan: tasks(4), maxConcurrency: 1 })).result();
    expect([...kept]).toEqual([
      [0, [0, 0, 2]],
      [1, [0, 0, 2, 0]],
      [2, [0, 0, 0]],
      [3, [0, 0, 0]],
    ]);
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
  it('pauses and resumes it', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { maxConcurrency: 1 });
    await gate.openedCount(1);
    await handle.executeUpdate(pause);
    gate.release(...gate.held);
    await eventually(async () => {
      const { ended, status, running } = await fetchProgress(rig.client, handle.workflowId);
      expect({ ended, status, running }).toEqual({ ended: 1, status: 'paused', running: 0 });
    });
    expect(gate.opened).toEqual(names(0));
    gate.openWide();
    await handle.executeUpdate(resume);
    expect((await handle.result()).totals.ended).toBe(3);
  });

  it('widens the window', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { maxConcurrency: 1 });
    await gate.openedCount(1);
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 3 }] });
    await gate.openedCount(3);
    gate.openWide();
    expect((await handle.result()).totals.ended).toBe(3);
  });

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

  it('costs more than its budget by its open episodes at most', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const [episode, maxCostUsd, maxConcurrency] = [0.003, 0.005, 3];
    const handle = await start(rig, { plan: tasks(9), maxConcurrency, maxCostUsd });
    await gate.openedCount(3);
    gate.release(...names(0));
    await gate.openedCount(4);
    gate.openWide();
    const { status, totals } = await handle.result();
    expect({ status, ended: totals.ended }).toEqual({ status: 'budget_reached', ended: 4 });
    expect(totals.knownCostUsd).toBeGreaterThan(maxCostUsd);
    expect(totals.knownCostUsd).toBeLessThan(maxCostUsd + maxConcurrency * episode);
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
        await real.record(input);
        if (input.episode.taskId !== 1 || lost.length > 0) return;
        const file = join(rig.log.paths.episodes, 'task-1.trial-0.json');
        lost.push(file);
        await truncate(file, 100);
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
