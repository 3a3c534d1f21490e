import { describe, expect, it } from 'vitest';

import { fetchProgress } from '../../src/temporal/client/index.ts';
import { episodeName } from '../../src/evaluation/index.ts';
import { extend, pause, resume, retry, setLimits } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import { eventually } from '../helpers/eventually.ts';
import type { Rig } from './rig.ts';
import { CALL, EPISODE, failing, metricsOf, unavailable } from './steering-rig.ts';
import { names, rigWith, start, tasks } from './sweep-rig.ts';

const key = (taskId: number, trial = 0) => ({ taskId, trial });

/** Episodes of some tasks fail after one call, until they are mended. */
async function brokenRig(gate: Gate, ...broken: readonly number[]) {
  let isMended = false;
  const grief = failing((taskId) => (!isMended && broken.includes(taskId) ? unavailable() : null));
  const rig = await rigWith((real) => grief(real, gate.activities(real)));
  return { rig, mend: () => (isMended = true) };
}

async function ended(rig: Rig, workflowId: string, count: number): Promise<void> {
  await eventually(async () => expect((await fetchProgress(rig.client, workflowId)).ended).toBe(count));
}

async function superseded(rig: Rig): Promise<string[]> {
  const found: string[] = [];
  const tell = (sentence: string) => found.push(sentence);
  for await (const { taskId, trial, outcome } of rig.log.archivedRecords(tell)) {
    found.push(`${episodeName(key(taskId, trial))} ${outcome.kind}`);
  }
  return found;
}

describe('a retry of what has failed', () => {
  it('runs it again in the same sweep, and counts its first cost', async () => {
    const gate = new Gate();
    const { rig, mend } = await brokenRig(gate, 1);
    const handle = await start(rig);
    await gate.openedCount(2);
    gate.release(...names(1));
    await ended(rig, handle.workflowId, 1);
    mend();
    expect(await handle.executeUpdate(retry, { args: ['failed'] })).toBe(1);
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ again: true, total: 3 });
    gate.openWide();
    const { total, status, totals } = await handle.result();
    expect({ total, status }).toEqual({ total: 3, status: 'completed' });
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 3 }, calls: 9 });
    expect(totals.knownCostUsd).toBeCloseTo(3 * EPISODE + CALL, 9);
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 1, 2));
    expect(await superseded(rig)).toEqual(['task-1.trial-0 infrastructure_error']);
    expect(await metricsOf(rig)).toMatchObject({
      episodes: 3,
      outcomes: { user_stop: 3 },
      costs: { known_usd: expect.closeTo(3 * EPISODE, 9) as number },
      superseded: { episodes: 1, known_usd: CALL, cost_usd: CALL },
    });
    expect(await rig.publishedEpisodes()).toBe(3);
    expect(await rig.log.readRun()).toMatchObject({ status: 'completed' });
  });

  it('runs what fails again once more for each time it is asked, and nothing where nothing has failed', async () => {
    const gate = new Gate();
    const { rig } = await brokenRig(gate, 1);
    const handle = await start(rig);
    await gate.openedCount(2);
    expect(await handle.executeUpdate(retry, { args: ['failed'] })).toBe(0);
    gate.openWide();
    expect((await handle.result()).totals).toMatchObject({ ended: 3, outcomes: { infrastructure_error: 1 } });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 1, 2));
  });

  it('does so over lanes, within what is left of the budget', async () => {
    const gate = new Gate();
    const { rig, mend } = await brokenRig(gate, 0, 3);
    // The failed ones cost a call each; after that there is money for one of them to run again, not for both.
    const handle = await start(rig, {
      plan: tasks(5),
      maxConcurrency: 1,
      maxCostUsd: 3 * EPISODE + 2 * CALL + EPISODE,
      tuning: { laneSize: 2 },
    });
    for (const id of [0, 1, 2, 3]) {
      await gate.openedCount(id + 1);
      gate.release(...names(id));
    }
    await gate.openedCount(5);
    mend();
    expect(await handle.executeUpdate(retry, { args: ['failed'] })).toBe(2);
    gate.openWide();
    const { status, totals } = await handle.result();
    expect({ status, ended: totals.ended }).toEqual({ status: 'budget_reached', ended: 4 });
    expect(gate.opened).toEqual(names(0, 1, 2, 3, 4, 0));
    expect(await metricsOf(rig)).toMatchObject({ episodes: 5, superseded: { episodes: 1 } });
  });
});

describe('a retry of chosen episodes', () => {
  it('runs them again whatever they came to, and keeps their records aside', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(4) });
    await gate.openedCount(2);
    gate.release(...names(0, 1));
    await gate.openedCount(4);
    // Named twice is asked once; one that has not ended yet, in another client's eyes, may be named by nobody.
    expect(await handle.executeUpdate(retry, { args: [[key(0), key(1), key(0)]] })).toBe(2);
    expect(await rig.log.readEpisode(key(0))).toBeNull();
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 0, outcomes: {}, calls: 0 });
    gate.openWide();
    expect((await handle.result()).totals).toMatchObject({ ended: 4, calls: 12 });
    expect(gate.opened.toSorted()).toEqual(names(0, 0, 1, 1, 2, 3));
    expect(await superseded(rig)).toEqual(['task-0.trial-0 user_stop', 'task-1.trial-0 user_stop']);
    expect(await rig.publishedEpisodes()).toBe(4);
  });

  it.each([{}, { tuning: { laneSize: 2 } }])('leaves the others that have failed as they are %#', async (changes) => {
    const gate = new Gate();
    const { rig, mend } = await brokenRig(gate, 0, 1);
    const handle = await start(rig, { plan: tasks(4), maxConcurrency: 1, ...changes });
    for (const id of [0, 1]) {
      await gate.openedCount(id + 1);
      gate.release(...names(id));
    }
    await gate.openedCount(3);
    mend();
    expect(await handle.executeUpdate(retry, { args: [[key(1)]] })).toBe(1);
    gate.openWide();
    expect((await handle.result()).totals).toMatchObject({
      ended: 4,
      outcomes: { user_stop: 3, infrastructure_error: 1 },
    });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 1, 2, 3));
    expect(await metricsOf(rig)).toMatchObject({ outcomes: { user_stop: 3, infrastructure_error: 1 } });
  });

  it('leaves them as they are also when the run has ended before', async () => {
    const gate = new Gate();
    gate.openWide();
    const { rig, mend } = await brokenRig(gate, 0, 1);
    await (await start(rig)).result();
    mend();
    const { totals } = await (await start(rig, { only: [key(1)] })).result();
    expect(totals).toMatchObject({ ended: 3, resumed: 2, outcomes: { user_stop: 2, infrastructure_error: 1 } });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 1, 2));
  });

  it('no longer counts them, as the run log does not, when the sweep is cancelled before they have run', async () => {
    const gate = new Gate();
    const { rig, mend } = await brokenRig(gate, 0, 2);
    const plan = tasks(4);
    const first = await start(rig, { plan, maxConcurrency: 4 });
    await gate.openedCount(4);
    gate.release(...names(0, 1, 2, 3));
    await first.result();
    mend();
    const handle = await start(rig, { plan, maxConcurrency: 1 });
    await gate.openedCount(5);
    // Task 2 is to run as well, but this walk has not come to it: it is not counted yet.
    expect(await handle.executeUpdate(retry, { args: [[key(1), key(2)]] })).toBe(2);
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 1, outcomes: { user_stop: 1 } });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    // Task 3, and task 0, which was cancelled.
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 2 });
    expect(await metricsOf(rig)).toMatchObject({ episodes: 1, cancelled: 1 });
  });

  it('is carried out by a sweep that continues as new for its long history too', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 1, tuning: { continueAsNewAfter: 2 } });
    await gate.openedCount(1);
    gate.release(...names(0));
    await gate.openedCount(2);
    await handle.executeUpdate(pause);
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: 9 }] });
    expect(await handle.executeUpdate(retry, { args: [[key(0)]] })).toBe(1);
    await handle.executeUpdate(resume);
    gate.openWide();
    expect((await handle.result()).totals).toMatchObject({ ended: 5, calls: 15 });
    expect(gate.opened.toSorted()).toEqual(names(0, 0, 1, 2, 3, 4));
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ maxCostUsd: 9, again: false });
  });

  it('changes nothing more when the records are moved aside twice', async () => {
    const gate = new Gate();
    let attempts = 0;
    const rig = await rigWith((real) => ({
      ...gate.activities(real),
      supersede: async (input) => {
        const moved = await real.supersede(input);
        if ((attempts += 1) === 1) throw new Error('the worker was lost after it was done');
        return moved;
      },
    }));
    const handle = await start(rig, { maxConcurrency: 1 });
    await gate.openedCount(1);
    gate.release(...names(0));
    await gate.openedCount(2);
    expect(await handle.executeUpdate(retry, { args: [[key(0)]] })).toBe(1);
    gate.openWide();
    expect((await handle.result()).totals.ended).toBe(3);
    expect(attempts).toBe(2);
    expect(await superseded(rig)).toEqual(['task-0.trial-0 user_stop']);
  });
});

describe('more trials', () => {
  it('run in the same sweep, and are in the plan of its run log at once', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: { taskIds: [2, 0], numTrials: 1, shuffle: true } });
    await gate.openedCount(2);
    const before = await rig.log.readRun();
    await handle.executeUpdate(extend, { args: [3] });
    expect(await rig.log.readRun()).toEqual({ ...before, plan: { ...before?.plan, numTrials: 3 } });
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ total: 6, numTrials: 3, again: true });
    gate.openWide();
    expect(await handle.result()).toMatchObject({ total: 6, totals: { ended: 6, calls: 18 } });
    const all = [0, 1, 2].flatMap((trial) => [key(0, trial), key(2, trial)]).map(episodeName);
    expect(gate.opened.toSorted()).toEqual(all.toSorted());
    expect(await rig.publishedEpisodes()).toBe(6);
    expect(await rig.log.readRun()).toMatchObject({ status: 'completed', plan: { numTrials: 3 } });
    expect(await superseded(rig)).toEqual([]);
  });

  it('can make a sweep so long that it goes on in lanes', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(2), tuning: { laneSize: 3 } });
    await gate.openedCount(2);
    await handle.executeUpdate(extend, { args: [2] });
    gate.release(...names(0, 1));
    await gate.openedCount(4);
    gate.openWide();
    expect(await handle.result()).toMatchObject({ total: 4, totals: { ended: 4, resumed: 2, calls: 12 } });
  });
});

describe('the budget of a long sweep', () => {
  it('reaches the lane that is open, and reopens it', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, {
      plan: tasks(4),
      maxConcurrency: 2,
      maxCostUsd: EPISODE,
      tuning: { laneSize: 4 - 1 },
    });
    await gate.openedCount(2);
    gate.release(...names(0));
    await ended(rig, handle.workflowId, 1);
    expect(gate.opened).toHaveLength(2);
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: 10 * EPISODE }] });
    await gate.openedCount(3);
    gate.openWide();
    expect(await handle.result()).toMatchObject({ status: 'completed', totals: { ended: 4 } });
  });

  it('is divided among open lanes when it comes late, and what a lane has left undone is done at last', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 2, tuning: { laneSize: 4 } });
    await gate.openedCount(2);
    expect(gate.held.toSorted()).toEqual(names(0, 4));
    // Half of it is the first lane's: its first episode uses that up, the second lane's only one does not.
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: 2 * EPISODE }] });
    gate.release(...names(0));
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 1, lanes: { length: 1 } });
    });
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: 3 * EPISODE, maxConcurrency: 1 }] });
    gate.openWide();
    const { status, totals } = await handle.result();
    expect({ status, ended: totals.ended }).toEqual({ status: 'budget_reached', ended: 3 });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 4));
  });
});
