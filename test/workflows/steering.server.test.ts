/** Sweeps on the server: steered by several people, and the size of their histories. */

import { join } from 'node:path';
import { Client, Connection, type WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { describe, expect, inject, it, afterEach } from 'vitest';
import { fetchProgress, startSweep } from '../../src/temporal/client/index.ts';
import {
  episodeWorkflowId,
  WORKFLOW_VERSION,
  type SweepProgress,
  type SweepResult,
} from '../../src/evaluation/index.ts';
import { extend, pause, resume, retry, setLimits } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import { eventually } from '../helpers/eventually.ts';
import { taskFailures, eventCount, payloadBytes, scheduledActivities } from './history.ts';
import { CALL, Door, endless, EPISODE, metricsOf, refusal } from './steering-rig.ts';
import { names, rigWith, start, tasks } from './sweep-rig.ts';
import { resolvePack, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { referenceDir } from '../helpers/reference.ts';
import { textOf } from '../helpers/texts.ts';
import { playLines, quickModel, STOP, unavailable } from './models.ts';
import { startRig, type Rig } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';

describe('the limits of a sweep', () => {
  it('reopen it when the budget is raised while the last episodes drain, and close it when it is lowered', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(5), maxConcurrency: 2, maxCostUsd: EPISODE });
    await gate.openedCount(2);
    gate.release(...names(0));
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
        ended: 1,
        running: 1,
        status: 'budget_reached',
      });
    });
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: null, maxConcurrency: 3 }] });
    await gate.openedCount(4);
    expect(gate.held.toSorted()).toEqual(names(1, 2, 3));
    await handle.executeUpdate(setLimits, { args: [{ maxCostUsd: 2 * EPISODE }] });
    gate.openWide();
    expect(await handle.result()).toMatchObject({ total: 5, status: 'budget_reached', totals: { ended: 4 } });
    expect(gate.opened.toSorted()).toEqual(names(0, 1, 2, 3));
    expect(await rig.log.readRun()).toMatchObject({ maxConcurrency: 3, maxCostUsd: 2 * EPISODE });
  });

  it('survive that it continues as new, as its being paused does', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(6), maxConcurrency: 1, tuning: { continueAsNewAfter: 1 } });
    await gate.openedCount(1);
    const first = (await handle.describe()).runId;
    await handle.executeUpdate(setLimits, { args: [{ maxConcurrency: 2, maxCostUsd: 2.5 * EPISODE }] });
    await handle.executeUpdate(pause);
    gate.openWide();
    await eventually(async () => expect((await handle.describe()).runId).not.toBe(first));
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
      maxConcurrency: 2,
      maxCostUsd: 2.5 * EPISODE,
      paused: true,
      status: 'paused',
      ended: 1,
      total: 6,
    });
    await handle.executeUpdate(resume);
    expect(await handle.result()).toMatchObject({ total: 6, status: 'budget_reached', totals: { ended: 3 } });
    expect(gate.opened).toEqual(names(0, 1, 2));
  });
});

describe('two people who steer a sweep at once', () => {
  it('are both answered, and see the same', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const first = await start(rig, { plan: tasks(4), maxConcurrency: 1 });
    await gate.openedCount(1);
    const { address, namespace } = inject('temporal');
    const connection = await Connection.connect({ address });
    try {
      const client = new Client({ connection, namespace });
      const second = client.workflow.getHandle(first.workflowId);
      // Pausing what is paused is no error: neither of them can know of the other.
      await Promise.all([first.executeUpdate(pause), second.executeUpdate(pause)]);
      await Promise.all([
        first.executeUpdate(setLimits, { args: [{ maxConcurrency: 2 }] }),
        second.executeUpdate(setLimits, { args: [{ maxCostUsd: 5 }] }),
        first.executeUpdate(extend, { args: [2] }),
        second.executeUpdate(extend, { args: [3] }).catch(() => undefined),
      ]);
      const seen: SweepProgress = await fetchProgress(rig.client, first.workflowId);
      expect(seen).toMatchObject({ paused: true, maxConcurrency: 2, maxCostUsd: 5, again: true });
      expect(await fetchProgress(client, first.workflowId)).toEqual(seen);
      expect(await rig.log.readRun()).toMatchObject({ plan: { numTrials: seen.numTrials } });
      await Promise.all([first.executeUpdate(resume), second.executeUpdate(resume)]);
      gate.openWide();
      const mine = await first.result();
      const theirs = (await second.result()) as SweepResult;
      expect(mine).toMatchObject({ total: 4 * seen.numTrials, totals: { ended: 4 * seen.numTrials } });
      expect(theirs).toEqual(mine);
    } finally {
      await connection.close();
    }
  });
});

describe('a sweep that is past being steered', () => {
  it('says so while it closes', async () => {
    const door = new Door();
    const rig = await rigWith((real) => ({
      ...new Gate(true).activities(real),
      closeRun: async (input) => {
        await door.pass();
        return await real.closeRun(input);
      },
    }));
    const handle = await start(rig);
    await door.reached();
    const closing = 'the run is closing: resume it when it has ended';
    expect(await refusal(handle, pause)).toBe(closing);
    expect(await refusal(handle, retry, 'failed')).toBe(closing);
    door.open();
    expect((await handle.result()).totals.ended).toBe(3);
  });

  it('says so while its cancelled episodes are being recorded', async () => {
    const gate = new Gate();
    const door = new Door();
    const rig = await rigWith((real) => ({
      ...gate.activities(real),
      record: async (input) => {
        await door.pass();
        return await real.record(input);
      },
    }));
    const handle = await start(rig);
    await gate.openedCount(1);
    await handle.cancel();
    await door.reached();
    expect(await refusal(handle, retry, 'failed')).toBe('the run is being cancelled');
    expect(await refusal(handle, setLimits, { maxConcurrency: 2 })).toBe('the run is being cancelled');
    door.open();
    const error: unknown = await handle.result().catch((failure: unknown) => failure);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
  });
});

describe('an episode that is cancelled by itself', () => {
  it('counts with what it has cost', async () => {
    const gate = new Gate(true);
    const rig = await rigWith((real) => {
      const gated = gate.activities(real);
      return {
        ...gated,
        complete: (input) =>
          input.role === 'agent' && input.episode.taskId === 1
            ? endless(undefined)
            : (gated.complete ?? real.complete)(input),
      };
    });
    const handle = await start(rig, { maxConcurrency: 3 });
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ ended: 2, running: 1 });
    });
    await rig.client.workflow.getHandle(episodeWorkflowId(rig.run.runId, { taskId: 1, trial: 0 })).cancel();
    const { totals } = await handle.result();
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 2, cancelled: 1 }, calls: 7, unpriced: 0 });
    expect(totals.knownCostUsd).toBeCloseTo(2 * EPISODE + CALL, 9);
  });
});

describe('what a sweep ended as', () => {
  it('is found in the visibility store, with its score and its cost', async () => {
    const rig = await rigWith(new Gate(true).activities);
    const handle = await start(rig);
    await handle.result();
    const { average_reward: reward } = await metricsOf(rig);
    expect(reward).toBeTypeOf('number');
    const cost = `TauCostUsd > ${2.9 * EPISODE} AND TauCostUsd < ${3.1 * EPISODE}`;
    await eventually(async () => {
      const found = await rig.client.workflow.count(
        `WorkflowType = 'sweep' AND TauSweep = '${rig.run.runId}' AND TauOutcome = 'completed' ` +
          `AND TauReward = ${reward} AND ${cost}`,
      );
      expect(found.count).toBe(1);
    });
  });

  it('is found when it was cancelled, without a score where there is none', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig);
    await gate.openedCount(2);
    await handle.cancel();
    await handle.result().catch(() => undefined);
    await eventually(async () => {
      const query = `WorkflowType = 'sweep' AND TauSweep = '${rig.run.runId}' AND TauOutcome = 'cancelled'`;
      expect((await rig.client.workflow.count(query)).count).toBe(1);
      expect((await rig.client.workflow.count(`${query} AND TauReward IS NULL AND TauCostUsd = 0`)).count).toBe(1);
    });
  });
});

describe('a worker whose code is older than the run', () => {
  it('leaves it to another one, and says so', async () => {
    const rig = await rigWith(new Gate(true).activities);
    const version = WORKFLOW_VERSION + 1;
    const { handle } = await startSweep(rig.client, rig.sweepInput({ version }));
    const episode = await rig.startEpisode({ ...rig.episodeInput(), version });
    for (const started of [handle, episode]) {
      await eventually(async () => {
        expect(taskFailures(await started.fetchHistory())).toContain(
          `needs another worker: this worker's code is older (workflow version ${WORKFLOW_VERSION}) than the one that started this run ` +
            `(${version}); start a worker of that version or newer`,
        );
      });
      expect((await started.describe()).status.name).toBe('RUNNING');
    }
    await Promise.all([handle.terminate(), episode.terminate()]);
  });
});

const open: (Rig | ScriptedCaller)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await ('stop' in one ? one.stop() : one.close());
});

/** The task of the pack's test split with most actions. */
function longestTask(pack: Pack): number {
  const lengths = pack.splits['test']?.map(({ actions }) => actions.length) ?? [];
  return lengths.indexOf(Math.max(...lengths));
}

interface Played {
  readonly historyBytes: number;
  /** Words and observations: each message once, prompts left out. */
  readonly conversationBytes: number;
  readonly activities: number;
  readonly events: number;
  readonly reward: number;
}

async function playLongest(pack: Pack, strategy: string): Promise<Played> {
  const scripted = await startScriptedCaller({ packs: [pack] });
  const rig = await startRig({ callModel: scripted.callModel, pack });
  open.push(scripted, rig);
  const episode = { taskId: longestTask(pack), trial: 0 };
  const handle = await rig.startEpisode(rig.episodeInput(episode, { strategy }));
  const { reward } = await handle.result();
  const history = await handle.fetchHistory();
  const said = (await rig.log.readEpisode(episode))?.trajectory.filter(({ role }) => role !== 'system');
  return {
    historyBytes: payloadBytes(history),
    conversationBytes: Buffer.byteLength(JSON.stringify(said)),
    activities: scheduledActivities(history).length,
    events: eventCount(history),
    reward,
  };
}

describe("an episode's history", () => {
  const packs = [['the shipped pack', () => resolvePack('retail')] as const];
  if (referenceDir !== null) {
    const folder = join(referenceDir, 'retail');
    packs.push(['the reference pack' as 'the shipped pack', () => readPack(folder)]);
  }
  it.each(packs)('is about the size of its conversation, on the longest task of %s', async (_, read) => {
    const played = await playLongest(await read(), 'tool-calling');
    expect(played.reward).toBe(1);
    expect(played.historyBytes).toBeLessThan(2 * played.conversationBytes + 900 * played.activities);
    // Six events an activity; the deadline's timer, the start and the end.
    expect(played.events).toBeLessThanOrEqual(6 * played.activities + 10);
  });
});

describe("a sweep's history", () => {
  it('has less than 2 kB an episode, the same for every episode', async () => {
    const rig = await startRig({ callModel: quickModel });
    open.push(rig);
    const sweepOf = async (runId: string, count: number) => {
      const plan = { taskIds: Array.from({ length: count }, (_, id) => id), numTrials: 1, shuffle: false };
      const input = rig.sweepInput({
        run: { ...rig.run, runId: `${rig.run.runId}-${runId}` },
        plan,
        maxConcurrency: 4,
      });
      const { handle } = await startSweep(rig.client, input);
      await handle.result();
      const history = await handle.fetchHistory();
      return { bytes: payloadBytes(history), events: eventCount(history) };
    };
    const few = await sweepOf('few', 4);
    const many = await sweepOf('many', 24);
    expect((many.bytes - few.bytes) / 20).toBeLessThan(2_000);
    // A child's three, and two workflow tasks of three where each of its two events comes alone.
    expect((many.events - few.events) / 20).toBeLessThanOrEqual(9);
  });
});

describe('the details of a sweep', () => {
  it('show how far it is while it runs, and none of it is in its history', async () => {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    const model = playLines({ agent: [unavailable, () => passed.then(() => 'Done.')], user: ['Hi.', 'Hi.', STOP] });
    const rig = await startRig({ callModel: model.callModel });
    try {
      const handle = await start(rig, { plan: tasks(2), maxConcurrency: 1 });
      const details = async () =>
        (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
      await eventually(async () => {
        expect(await details()).toContain('| episodes ended | 1 of 2 |');
        expect(await details()).toContain('**open**: `task-1.trial-0`');
        expect(await details()).toContain('- `task-0.trial-0`, infrastructure_error: 503 overloaded');
      });
      const { staticDetails } = await handle.describe();
      expect(await staticDetails()).toContain(`[http://127.0.0.1:8235/#/run/${rig.run.runId}]`);
      await handle.executeUpdate('pause');
      expect(await details()).toMatch(/^\*\*paused/);
      await handle.executeUpdate('resume');
      pass();
      await handle.result();
      expect(await details()).toMatch(/^\*\*ended\*\*/);
      const history = textOf(await handle.fetchHistory());
      expect(history).toContain('publish the results: completed');
      expect(history).not.toContain('newest first');
    } finally {
      pass();
      await rig.stop();
    }
  });
});
