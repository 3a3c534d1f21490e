import { Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';

import { dumpJson } from '../../src/benchmarks/python/index.ts';
import type { Action } from '../../src/benchmarks/index.ts';
import { FailureType, type EpisodeSummary } from '../../src/evaluation/index.ts';
import { calling, failOnce, hang, playLines, refuse, STOP, type Line } from './models.ts';
import type { SharedRigOptions } from './rig-on-server.ts';
import { beating, type Rig } from './rig.ts';
import { sharedRig } from './shared-rig.ts';

async function rigWith(lines: { agent: Line[]; user: Line[] }, options: Omit<SharedRigOptions, 'callModel'> = {}) {
  const model = playLines(lines);
  return { rig: await sharedRig({ callModel: model.callModel, ...options }), model };
}

/** The action of a task's ground truth that changes the data, as the agent would call it. */
function groundTruthWrite(rig: Rig, taskId = 0): Line {
  const action = rig.pack.splits['test']?.[taskId]?.actions.findLast(isWrite);
  if (action === undefined) throw new Error(`task ${taskId} has no write`);
  return calling([action.name, dumpJson(action.kwargs)]);
}

const isWrite = ({ name }: Action) => /^(exchange|cancel|modify|return)_/.test(name);

async function failureOf(result: Promise<unknown>): Promise<Error> {
  const error = await result.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  if (error instanceof WorkflowFailedError && error.cause !== undefined) return error.cause;
  return error as Error;
}

async function play(rig: Rig, config = {}): Promise<EpisodeSummary> {
  return (await rig.startEpisode(rig.episodeInput({}, config))).result();
}

const KEY = { taskId: 0, trial: 0 };

describe('an episode', () => {
  it('that the user ends is graded, recorded and summed up', async () => {
    const agent: Line[] = ['Hello, how can I help?'];
    const { rig } = await rigWith({ agent, user: ['Hi.', STOP] });
    agent.unshift(groundTruthWrite(rig));
    const summary = await play(rig);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop', error: null, steps: 2, turns: 1, calls: 4 });
    expect(summary.agentCostUsd).toBeCloseTo(0.002);
    expect(summary.userCostUsd).toBeCloseTo(0.002);
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' }, taskId: 0, trial: 0 });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('whose model refuses fails as an infrastructure error, with its summary, and is recorded', async () => {
    const { rig } = await rigWith({ agent: [refuse], user: ['Hi.'] });
    const failure = await failureOf(play(rig));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: FailureType.EpisodeFailed });
    expect(failure.message).toContain('(401 Incorrect API key); `tauflow retry ');
    expect((failure as ApplicationFailure).details?.[0]).toMatchObject({ outcome: 'infrastructure_error', calls: 1 });
    expect(await rig.log.readEpisode(KEY)).toMatchObject({
      outcome: { kind: 'infrastructure_error', error: FailureType.NotAuthorised },
    });
  });

  it('that does not end in time aborts its model call and fails with its deadline', async () => {
    const { rig } = await rigWith({ agent: [hang], user: ['Hi.'] });
    const failure = await failureOf(play(rig, { episodeTimeoutMs: 500 }));
    expect(failure.message).toContain('(the episode was worked on for 0.5 s and did not end)');
    expect(await rig.log.readEpisode(KEY)).toMatchObject({
      outcome: { kind: 'infrastructure_error', error: 'EpisodeDeadline' },
    });
  });

  it('that is cancelled aborts its model call, is recorded, and ends as cancelled', async () => {
    let isAborted = false;
    let calls: () => void = () => undefined;
    const called = new Promise<void>((resolve) => (calls = resolve));
    const watched: Line = async (request, signal) => {
      calls();
      return await hang(request, signal).finally(() => (isAborted = signal.aborted));
    };
    const { rig } = await rigWith({ agent: [watched], user: ['Hi.'] });
    const handle = await rig.startEpisode(rig.episodeInput());
    await called;
    await handle.cancel();
    expect(await failureOf(handle.result())).toBeInstanceOf(CancelledFailure);
    expect(isAborted).toBe(true);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(await rig.log.readEpisode(KEY)).toMatchObject({ outcome: { kind: 'cancelled' }, reward: 0 });
  });

  it('whose cancelled call fails in another way still ends as cancelled', async () => {
    let calls: () => void = () => undefined;
    const called = new Promise<void>((resolve) => (calls = resolve));
    const { rig } = await rigWith(
      { agent: [null], user: [null] },
      {
        activities: () => ({
          complete: beating(async () => {
            calls();
            await Context.current().cancelled.catch(() => undefined);
            throw ApplicationFailure.nonRetryable('the connection was lost');
          }),
        }),
      },
    );
    const handle = await rig.startEpisode(rig.episodeInput());
    await called;
    await handle.cancel();
    expect(await failureOf(handle.result())).toBeInstanceOf(CancelledFailure);
  });

  it('takes a call again that failed for a passing reason, and counts the attempt', async () => {
    const { rig } = await rigWith({ agent: [failOnce('Hello')], user: ['Hi.', STOP] });
    expect(await play(rig)).toMatchObject({ outcome: 'user_stop', calls: 3, extraAttempts: 1 });
  });
});
