import { describe, expect, it } from 'vitest';

import type { Activities } from '../../src/wire/activities.ts';
import { FailureType } from '../../src/wire/failures.ts';
import type { EpisodeSummary } from '../../src/wire/episode.ts';
import { fetchProgress, type SweepHandle } from '../../src/temporal/client/sweeps.ts';
import { Breaker } from '../../workflows/failures.ts';
import { resume } from '../../workflows/messages.ts';
import { ApplicationFailure } from '@temporalio/common';
import { Gate } from './gate.ts';
import { eventually } from '../helpers/eventually.ts';
import type { Rig } from './rig.ts';
import { EPISODE, metricsOf } from './steering-rig.ts';
import { rigWith, start as startSweep, tasks } from './sweep-rig.ts';
import type { SweepInput } from '../../src/wire/sweep.ts';

describe('the breaker', () => {
  const summary = (changes: Partial<EpisodeSummary>): EpisodeSummary => ({
    episode: { taskId: 0, trial: 0 },
    reward: 0,
    outcome: 'infrastructure_error',
    error: '429 no credit',
    steps: 0,
    turns: 0,
    calls: 0,
    extraAttempts: 0,
    promptTokens: 0,
    completionTokens: 0,
    agentCostUsd: 0,
    userCostUsd: 0,
    durationMs: 1,
    ...changes,
  });
  const fault = (type: string) => summary({ fault: type });
  const solved = summary({ outcome: 'user_stop', error: null });

  it.each([FailureType.QuotaExceeded, FailureType.NotAuthorised, FailureType.MissingKey])(
    'takes the first %s for the account’s where nothing has worked, and the second in a row elsewhere',
    (type) => {
      expect(new Breaker().episodeEnded(fault(type), false)).toBe(`${type}: 429 no credit`);
      const breaker = new Breaker();
      expect(breaker.episodeEnded(fault(type), true)).toBeNull();
      expect(breaker.episodeEnded(solved, true)).toBeNull();
      expect(breaker.episodeEnded(fault(type), true)).toBeNull();
      // Neither passing trouble nor a cancelled episode says anything of the account.
      expect(breaker.episodeEnded(fault(FailureType.ModelUnavailable), true)).toBeNull();
      expect(breaker.episodeEnded(summary({ outcome: 'cancelled', error: null }), true)).toBeNull();
      expect(breaker.episodeEnded(fault(type), true)).toBe(`${type}: 429 no credit`);
    },
  );

  it('counts anew when it is reset', () => {
    const breaker = new Breaker();
    breaker.episodeEnded(fault(FailureType.QuotaExceeded), true);
    breaker.reset();
    expect(breaker.episodeEnded(fault(FailureType.QuotaExceeded), true)).toBeNull();
  });

  it('takes refused requests for the run’s only where nothing has worked, and two were refused', () => {
    const breaker = new Breaker();
    expect(breaker.episodeEnded(fault(FailureType.RequestRefused), false)).toBeNull();
    expect(breaker.episodeEnded(fault(FailureType.RequestRefused), false)).toBe('RequestRefused: 429 no credit');
    const working = new Breaker();
    for (let count = 0; count < 9; count++) {
      expect(working.episodeEnded(fault(FailureType.RequestRefused), true)).toBeNull();
    }
  });

  it.each([FailureType.ModelUnavailable, FailureType.RateLimited, 'ActivityTimeout', 'EpisodeDeadline'])(
    'is not tripped by %s',
    (type) => {
      const breaker = new Breaker();
      for (let count = 0; count < 9; count++) expect(breaker.episodeEnded(fault(type), false)).toBeNull();
    },
  );
});

/** From version 4 on a refused call waits in its episode; what was started before ends its episodes. */
const start = (rig: Rig, changes: Partial<SweepInput> = {}) => startSweep(rig, { version: 3, ...changes });

/** The provider answers `healthy` calls, then refuses every one until it is mended. */
async function accountRig(gate: Gate, healthy = 0, type: string = FailureType.QuotaExceeded) {
  let left = healthy;
  let isMended = false;
  const rig = await rigWith((real): Partial<Activities> => {
    const gated = gate.activities(real);
    return {
      ...gated,
      complete: async (input) => {
        const output = await (gated.complete ?? real.complete)(input);
        if (isMended || left-- > 0) return output;
        throw ApplicationFailure.nonRetryable('429 no credit', type);
      },
    };
  });
  return { rig, mend: () => (isMended = true) };
}

const REASON = 'QuotaExceeded: 429 no credit';

async function halted(rig: Rig, handle: SweepHandle): Promise<number> {
  await eventually(async () => {
    expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
      paused: true,
      status: 'paused',
      pausedFor: REASON,
      running: 0,
    });
  });
  return (await fetchProgress(rig.client, handle.workflowId)).outcomes.infrastructure_error ?? 0;
}

async function expectAllWell(rig: Rig, handle: SweepHandle, count: number): Promise<void> {
  expect(await handle.result()).toMatchObject({
    total: count,
    status: 'completed',
    totals: { ended: count, outcomes: { user_stop: count } },
  });
  expect(await metricsOf(rig)).toMatchObject({
    episodes: count,
    outcomes: { user_stop: count },
    costs: { known_usd: expect.closeTo(count * EPISODE, 9) as number },
  });
  expect(await rig.publishedEpisodes()).toBe(count);
}

describe('a sweep of version 3 whose account is empty', () => {
  it('burns no more than the window, says why it has paused, and resumed runs all to their end', async () => {
    const gate = new Gate(true);
    const { rig, mend } = await accountRig(gate);
    const handle = await start(rig, { plan: tasks(10), maxConcurrency: 2 });
    const burnt = await halted(rig, handle);
    expect(burnt).toBeLessThanOrEqual(2);
    expect(gate.opened).toHaveLength(burnt);
    // Resumed too early it meets the same again, and burns no more than before.
    await handle.executeUpdate(resume);
    await gate.openedCount(burnt + 1);
    await halted(rig, handle);
    expect(gate.opened.length).toBeLessThanOrEqual(2 * burnt + 2);
    mend();
    await handle.executeUpdate(resume);
    await expectAllWell(rig, handle, 10);
  });

  it('stops in the midst of its work as well, and keeps its reason over continue-as-new', async () => {
    const gate = new Gate(true);
    // Two episodes and a call.
    const { rig, mend } = await accountRig(gate, 7);
    const handle = await start(rig, { plan: tasks(8), maxConcurrency: 1, tuning: { continueAsNewAfter: 4 } });
    const first = (await handle.describe()).runId;
    expect(await halted(rig, handle)).toBe(2);
    expect(gate.opened).toHaveLength(4);
    expect((await handle.describe()).runId).not.toBe(first);
    mend();
    await handle.executeUpdate(resume);
    await expectAllWell(rig, handle, 8);
  });

  it('pauses all its lanes when one of them has met it', async () => {
    const gate = new Gate();
    const { rig, mend } = await accountRig(gate);
    const handle = await start(rig, { plan: tasks(9), maxConcurrency: 3, tuning: { laneSize: 3 } });
    await gate.openedCount(3);
    gate.release('task-0.trial-0');
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ pausedFor: REASON, running: 2 });
    });
    gate.openWide();
    await halted(rig, handle);
    expect(gate.opened).toHaveLength(3);
    mend();
    await handle.executeUpdate(resume);
    await expectAllWell(rig, handle, 9);
    expect(gate.opened).toHaveLength(12);
  });

  it('fails with the reason where nobody attends it, also over lanes', async () => {
    for (const tuning of [{}, { laneSize: 3 }]) {
      const gate = new Gate(true);
      const { rig } = await accountRig(gate);
      const plan = tasks(9);
      const handle = await start(rig, { plan, maxConcurrency: 2, unattended: true, tuning });
      const error = (await handle.result().catch((failure: unknown) => failure)) as Error;
      expect(JSON.stringify(error.cause)).toContain(FailureType.SweepHalted);
      expect(gate.opened.length).toBeLessThanOrEqual(4);
      expect(await rig.log.readRun()).toMatchObject({ status: 'failed' });
    }
  });

  it('is not paused by trouble that passes', async () => {
    const gate = new Gate(true);
    const { rig } = await accountRig(gate, 0, FailureType.ModelUnavailable);
    const handle = await start(rig, { plan: tasks(5) });
    expect((await handle.result()).totals).toMatchObject({ ended: 5, outcomes: { infrastructure_error: 5 } });
    expect(gate.opened).toHaveLength(5);
  });
});
