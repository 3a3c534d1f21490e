import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';

import type { Activities } from '../../src/orchestration/index.ts';
import { fetchProgress, type SweepHandle } from '../../src/temporal/client/index.ts';
import type { CompleteInput } from '../../src/episode/index.ts';
import { FailureType, episodeName, type SweepInput } from '../../src/evaluation/index.ts';
import { pause, resume } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { beating, type Rig } from './rig.ts';
import { EPISODE, metricsOf } from './steering-rig.ts';
import { rigWith, start, tasks } from './sweep-rig.ts';

const HOUR = 3_600_000;
const tuning = { holdMs: { first: 50, last: 200 } } as const;

type Failing = (input: CompleteInput, count: number) => string | null | Promise<string | null>;

/** A provider that can be made to fail, and counts what it was asked and what it has answered. */
class Provider {
  readonly asked: CompleteInput[] = [];
  readonly answered: string[] = [];
  #failure: Failing | null = null;
  #after = Infinity;

  readonly activities = (real: Activities): Partial<Activities> => ({
    complete: beating(async (input) => {
      this.asked.push(input);
      const isFailing = this.answered.length >= this.#after;
      const type = isFailing ? ((await this.#failure?.(input, this.asked.length)) ?? null) : null;
      if (type !== null) {
        const details = [{ apiFailures: (input.earlier?.apiFailures ?? 0) + 1, status: 503, requestId: null }];
        throw ApplicationFailure.create({ type, message: '503 away', nonRetryable: true, details });
      }
      const output = await real.complete(input);
      this.answered.push(`${episodeName(input.episode)} ${input.call}`);
      return output;
    }),
  });

  /** Fails with what `failure` names from the call on after `answers` answered ones. */
  failAfter(answers: number, failure: Failing): void {
    this.#after = answers;
    this.#failure = failure;
  }

  recover(): void {
    this.#failure = null;
  }
}

async function startOn(provider: Provider, changes: Partial<SweepInput> = {}, outageTimeoutMs = HOUR) {
  const rig = await rigWith(provider.activities);
  const config = rig.config({ outageTimeoutMs });
  const handle = await start(rig, { config, tuning, ...changes });
  return { rig, handle };
}

/** Waits until so many episodes of a sweep and its lanes are held. */
async function heldCount(rig: Rig, { workflowId }: SweepHandle, count: number): Promise<void> {
  await eventually(async () => {
    const { held = [] } = await fetchProgress(rig.client, workflowId);
    expect(held.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(count);
  });
}

/** Every episode has ended well, and each of its three calls was answered once. */
async function expectNothingLost(rig: Rig, handle: SweepHandle, provider: Provider, count: number): Promise<void> {
  expect(await handle.result()).toMatchObject({
    status: 'completed',
    totals: { ended: count, outcomes: { user_stop: count }, calls: 3 * count },
  });
  expect(provider.answered).toHaveLength(3 * count);
  expect(new Set(provider.answered).size).toBe(3 * count);
  expect(await metricsOf(rig)).toMatchObject({
    episodes: count,
    superseded: { episodes: 0 },
    costs: { known_usd: expect.closeTo(count * EPISODE, 9) as number },
  });
}

describe('a provider that is away', () => {
  it('is probed by one call at a time, and loses no episode', async () => {
    const provider = new Provider();
    provider.failAfter(8, () => FailureType.ModelUnavailable);
    const { rig, handle } = await startOn(provider, { plan: tasks(12), maxConcurrency: 4 });
    await heldCount(rig, handle, 4);
    const progress = await fetchProgress(rig.client, handle.workflowId);
    expect(progress).toMatchObject({ paused: false, running: 4, held: [{ provider: 'scripted', isRefused: false }] });
    expect(progress.held?.[0]?.reason).toBe('ModelUnavailable: 503 away');
    const before = provider.asked.length;
    await eventually(async () => {
      await Promise.resolve(expect(provider.asked.length).toBeGreaterThanOrEqual(before + 5));
    });
    // A held call makes one attempt, under a key of its own, and no further episode is opened.
    const probes = provider.asked.slice(before);
    expect(probes.every(({ maxRetries, earlier }) => maxRetries === 0 && (earlier?.apiFailures ?? 0) > 0)).toBe(true);
    expect((await fetchProgress(rig.client, handle.workflowId)).running).toBe(4);
    provider.recover();
    await expectNothingLost(rig, handle, provider, 12);
    expect((await fetchProgress(rig.client, handle.workflowId)).held).toBeUndefined();
  });

  it('counts the failed attempts of a held call as attempts that may have been paid', async () => {
    const provider = new Provider();
    provider.failAfter(2, () => (provider.asked.length < 6 ? FailureType.ModelUnavailable : null));
    const { rig, handle } = await startOn(provider, { plan: tasks(1), maxConcurrency: 1 });
    await expectNothingLost(rig, handle, provider, 1);
    const record = await rig.log.readEpisode({ taskId: 0, trial: 0 });
    const extra = record?.usage.reduce((sum, { extraAttempts }) => sum + extraAttempts, 0);
    expect(extra).toBe(3);
  });

  it('is waited for by lanes as well, and over continue-as-new', { timeout: 180_000 }, async () => {
    for (const more of [{ laneSize: 3 }, { continueAsNewAfter: 5 }]) {
      const provider = new Provider();
      provider.failAfter(7, () => FailureType.RateLimited);
      const input = { plan: tasks(9), maxConcurrency: 3, tuning: { ...tuning, ...more } };
      const { rig, handle } = await startOn(provider, input);
      await heldCount(rig, handle, 3);
      provider.recover();
      await expectNothingLost(rig, handle, provider, 9);
    }
  });

  it('lets a call that alone fails go, after others were answered again and again', { timeout: 180_000 }, async () => {
    const provider = new Provider();
    provider.failAfter(0, ({ episode, role }) =>
      episode.taskId === 0 && role === 'agent' ? FailureType.ModelUnavailable : null,
    );
    // One at once: another episode is opened beside the one that is held.
    const { handle } = await startOn(provider, {
      plan: tasks(30),
      maxConcurrency: 1,
      tuning: { holdMs: { first: 20, last: 20 } },
    });
    expect((await handle.result()).totals).toMatchObject({
      ended: 30,
      outcomes: { user_stop: 29, infrastructure_error: 1 },
    });
  });

  it('has one episode at once again after it, if that was asked for', async () => {
    const provider = new Provider();
    // The third episode is opened beside the second, which is held, and is answered by then.
    provider.failAfter(4, ({ episode }) => (episode.taskId === 1 ? FailureType.ModelUnavailable : null));
    const { rig, handle } = await startOn(provider, { plan: tasks(8), maxConcurrency: 1 });
    await eventually(async () => {
      await Promise.resolve(expect(provider.answered).toContain('task-2.trial-0 user 2'));
    });
    provider.recover();
    await expectNothingLost(rig, handle, provider, 8);
    const after = provider.answered.slice(provider.answered.indexOf('task-2.trial-0 user 2') + 1);
    const episodes = after.map((answer) => answer.split(' ')[0]);
    // No episode's calls come between those of another.
    expect(episodes.filter((episode, index) => episode !== episodes[index - 1])).toHaveLength(new Set(episodes).size);
  });

  it('pauses the run with the reason when it is away for too long, and resumed the run goes on', async () => {
    const provider = new Provider();
    provider.failAfter(4, () => FailureType.ModelUnavailable);
    const { rig, handle } = await startOn(provider, { plan: tasks(6), maxConcurrency: 2 }, 600);
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
        status: 'paused',
        running: 0,
        pausedFor: 'ModelUnavailable: 503 away (scripted did not answer for 1 s)',
        outcomes: { infrastructure_error: 2 },
      });
    });
    provider.recover();
    await handle.executeUpdate(resume);
    expect((await handle.result()).totals).toMatchObject({ ended: 6, outcomes: { user_stop: 6 } });
  });

  it('ends a run that nobody attends when it is away for too long', async () => {
    const provider = new Provider();
    provider.failAfter(4, () => FailureType.ModelUnavailable);
    const { rig, handle } = await startOn(provider, { plan: tasks(6), unattended: true }, 400);
    const error = (await handle.result().catch((failure: unknown) => failure)) as Error;
    expect(JSON.stringify(error.cause)).toContain(FailureType.SweepHalted);
    expect(await rig.log.readRun()).toMatchObject({ status: 'failed' });
    expect(await metricsOf(rig)).toMatchObject({ outcomes: { infrastructure_error: 2 } });
  });

  it('ends episodes as before where nobody is to wait for it', async () => {
    const provider = new Provider();
    provider.failAfter(0, () => FailureType.ModelUnavailable);
    const { handle } = await startOn(provider, { plan: tasks(5) }, 0);
    expect((await handle.result()).totals).toMatchObject({ ended: 5, outcomes: { infrastructure_error: 5 } });
    expect(provider.asked).toHaveLength(5);
  });
});

describe.each([FailureType.NotAuthorised, FailureType.QuotaExceeded, FailureType.MissingKey])(
  'a provider that refuses with %s',
  (type) => {
    it('pauses the run, whose episodes go on where they were when it is resumed', async () => {
      const provider = new Provider();
      provider.failAfter(10, () => type);
      const { rig, handle } = await startOn(provider, { plan: tasks(9), maxConcurrency: 3 });
      await heldCount(rig, handle, 3);
      const halted = { status: 'paused', pausedFor: `${type}: 503 away`, running: 3 };
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({
        ...halted,
        held: [{ isRefused: true, nextTryAt: null, episodes: 3 }],
      });
      const { episodes } = await rig.log.listEpisodes();
      expect(episodes.length).toBe((await fetchProgress(rig.client, handle.workflowId)).ended);
      // Resumed too early it asks once.
      const asked = provider.asked.length;
      await handle.executeUpdate(resume);
      await eventually(async () => {
        expect(provider.asked.length).toBeGreaterThan(asked);
        expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject(halted);
      });
      expect(provider.asked.length).toBe(asked + 1);
      provider.recover();
      await handle.executeUpdate(resume);
      await expectNothingLost(rig, handle, provider, 9);
    });
  },
);

describe('a run that is refused', () => {
  it(
    'stays paused also if all of its episodes are open, and none of them is scored',
    { timeout: 180_000 },
    async () => {
      for (const type of [FailureType.NotAuthorised, FailureType.RequestRefused]) {
        const provider = new Provider();
        provider.failAfter(0, () => type);
        const { rig, handle } = await startOn(provider, { plan: tasks(2), maxConcurrency: 2 });
        await heldCount(rig, handle, 2);
        await eventually(async () => {
          expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ status: 'paused', ended: 0 });
        });
        expect((await rig.log.listEpisodes()).episodes).toEqual([]);
        provider.recover();
        await handle.executeUpdate(resume);
        await expectNothingLost(rig, handle, provider, 2);
      }
    },
  );

  it('ends a refused request at once where episodes have ended well', async () => {
    const provider = new Provider();
    provider.failAfter(3, ({ episode }) => (episode.taskId === 1 ? FailureType.RequestRefused : null));
    const { handle } = await startOn(provider, { plan: tasks(4), maxConcurrency: 1 });
    expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 3, infrastructure_error: 1 });
  });

  it('pauses all its lanes, and resumes them all', async () => {
    const provider = new Provider();
    // No lane has ended its first episode by then, nor is still to open it.
    provider.failAfter(0, async ({ call }) => {
      if (call !== 'user 2') return null;
      const opened = () => provider.asked.filter((asked) => asked.call === 'user 1');
      await expect.poll(opened, { timeout: 20_000 }).toHaveLength(3);
      return FailureType.QuotaExceeded;
    });
    const input = { plan: tasks(9), maxConcurrency: 3, tuning: { ...tuning, laneSize: 3 } };
    const { rig, handle } = await startOn(provider, input);
    await heldCount(rig, handle, 3);
    await eventually(async () => {
      expect(await fetchProgress(rig.client, handle.workflowId)).toMatchObject({ status: 'paused', running: 3 });
    });
    provider.recover();
    await handle.executeUpdate(resume);
    await expectNothingLost(rig, handle, provider, 9);
  });

  it('fails with the reason where nobody attends it, its held episodes recorded', async () => {
    const provider = new Provider();
    provider.failAfter(4, () => FailureType.QuotaExceeded);
    const { rig, handle } = await startOn(provider, { plan: tasks(9), maxConcurrency: 3, unattended: true });
    const error = (await handle.result().catch((failure: unknown) => failure)) as Error;
    expect(JSON.stringify(error.cause)).toContain(FailureType.SweepHalted);
    expect(await metricsOf(rig)).toMatchObject({ outcomes: { infrastructure_error: 3 } });
  });
});

describe('held episodes', () => {
  it('are canceled with their run, and one by one', async () => {
    const provider = new Provider();
    provider.failAfter(2, () => FailureType.QuotaExceeded);
    const { rig, handle } = await startOn(provider, { plan: tasks(5), maxConcurrency: 2 });
    await heldCount(rig, handle, 2);
    await rig.client.workflow.getHandle(`${handle.workflowId}/task-0/trial-0`).cancel();
    await heldCount(rig, handle, 1);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    const { episodes } = await rig.log.listEpisodes();
    expect(episodes).toHaveLength(2);
    expect(await rig.log.readRun()).toMatchObject({ status: 'cancelled' });
  });

  it('are made again at once when a waiting run is resumed, and wait on through a pause', async () => {
    const provider = new Provider();
    provider.failAfter(2, () => FailureType.ModelUnavailable);
    const holdMs = { first: HOUR, last: HOUR };
    const { rig, handle } = await startOn(provider, { plan: tasks(4), tuning: { holdMs } }, 10 * HOUR);
    await heldCount(rig, handle, 2);
    await handle.executeUpdate(pause);
    provider.recover();
    await handle.executeUpdate(resume);
    // The answer releases the other one, a moment later.
    await eventually(async () => {
      await Promise.resolve(expect(provider.answered.length).toBeGreaterThanOrEqual(3));
    });
    await handle.executeUpdate(resume);
    await expectNothingLost(rig, handle, provider, 4);
  });
});
