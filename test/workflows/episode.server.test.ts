/**
 * Episodes on a server: with a person as the user, how they end, and what Temporal shows of them.
 */

import { WorkflowUpdateFailedError, type WorkflowHandle, WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure, ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { Context } from '@temporalio/activity';
import { conversation, answer, type episode } from '../../workflows/client.ts';
import { hang, playLines, STOP, type Line, calling, failOnce, refuse, quickModel } from './models.ts';
import { asked, HUMAN_USER, say } from './people.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { recordings } from './recordings.ts';
import { startRig, type Rig, type RigOptions, beating } from './rig.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import type { Action } from '../../src/benchmarks/index.ts';
import { FailureType, type EpisodeSummary, type CompleteOutput } from '../../src/evaluation/index.ts';
import type { SharedRigOptions } from './rig-on-server.ts';
import { sharedRig } from './shared-rig.ts';
import { stuckReason } from '../../src/temporal/client/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { scheduledActivities } from './history.ts';

type Handle = WorkflowHandle<typeof episode>;

const rigs: Rig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

async function rigForHuman(agent: Line[], options: Partial<RigOptions> = {}) {
  const model = playLines({ agent, user: [] });
  const rig = await startRig({ callModel: model.callModel, ...options });
  rigs.push(rig);
  return { rig, model };
}

async function refusal(handle: Handle, question: number, text: string): Promise<string> {
  const error: unknown = await handle.executeUpdate(answer, { args: [{ question, text }] }).catch((e: unknown) => e);
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error('the answer was taken', { cause: error });
  return error.cause?.message ?? '';
}

describe('an episode with a person', () => {
  it('takes what they say, each their own, and asks no user’s model', async () => {
    const { rig, model } = await rigForHuman(['Shall I?']);
    const [first, second] = await Promise.all(
      [0, 1].map((taskId) => rig.startEpisode(rig.episodeInput({ taskId }, HUMAN_USER))),
    );
    if (first === undefined || second === undefined) throw new Error('two were started');
    expect(await asked(first, 1)).toMatchObject({ lines: [], question: { number: 1 } });
    await say(second, 1, 'I am the second.');
    await say(first, 1, 'I am the first.');
    expect((await asked(first, 2)).lines).toEqual([
      { who: 'user', text: 'I am the first.' },
      { who: 'agent', text: 'Shall I?' },
    ]);
    await say(second, 2, STOP);
    await say(first, 2, 'Yes, do.');
    await say(first, 3, STOP);
    expect(await second.result()).toMatchObject({ outcome: 'user_stop', turns: 1, calls: 1, userCostUsd: 0 });
    expect(await first.result()).toMatchObject({ outcome: 'user_stop', turns: 2, calls: 2, userCostUsd: 0 });
    expect(model.userCalls).toEqual([]);
    const record = await rig.log.readEpisode({ taskId: 0, trial: 0 });
    expect(record?.usage.map(({ role }) => role)).toEqual(['agent']);
    expect(record?.config).toMatchObject({ userStrategy: 'human' });
    expect(record?.trajectory.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'I am the first.',
      'Yes, do.',
      STOP,
    ]);
    expect((await first.query(conversation)).question).toBeNull();
  });

  it('refuses wrong answers, and a second one to the same question, with the reason', async () => {
    const { rig } = await rigForHuman(['Shall I?', hang]);
    const handle = await rig.startEpisode(rig.episodeInput({}, HUMAN_USER));
    await asked(handle, 1);
    expect(await refusal(handle, 1, ' ')).toBe('an answer must have words');
    expect(await refusal(handle, 2, 'Hi.')).toBe('the conversation is at question 1, not yet at 2');
    await say(handle, 1, 'Hi.');
    await asked(handle, 2);
    expect(await refusal(handle, 1, 'Hello.')).toBe('question 1 has been answered; the conversation is at question 2');
    const both = await Promise.allSettled(
      ['One.', 'Two.'].map((text) => handle.executeUpdate(answer, { args: [{ question: 2, text }] })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(handle, 2, 'Three.')).toContain('nobody is asked now');
    expect((await handle.query(conversation)).lines).toHaveLength(3);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
  });

  it('waits while its worker is away', async () => {
    const { rig: first } = await rigForHuman(['Shall I?']);
    const handle = await first.startEpisode(first.episodeInput({}, HUMAN_USER));
    await say(handle, 1, 'Hi.');
    const before = await asked(handle, 2);
    const { run } = first;
    rigs.splice(0);
    // The run log stays: it is the second rig's as well.
    const { rig: second } = await rigForHuman(['Never said.'], { runId: run.runId, logDir: run.logDir });
    await first.stop();
    const again: Handle = second.client.workflow.getHandle(handle.workflowId);
    expect(await asked(again, 2)).toEqual(before);
    await say(again, 2, STOP);
    expect(await again.result()).toMatchObject({ outcome: 'user_stop', turns: 1 });
  });

  it('can be cancelled while it waits', async () => {
    const { rig } = await rigForHuman(['Shall I?']);
    const handle = await rig.startEpisode(rig.episodeInput({}, HUMAN_USER));
    await say(handle, 1, 'Hi.');
    await asked(handle, 2);
    await handle.cancel();
    const error: unknown = await handle.result().catch((e: unknown) => e);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(await rig.log.readEpisode({ taskId: 0, trial: 0 })).toMatchObject({ outcome: { kind: 'cancelled' } });
    expect((await handle.query(conversation)).question).toBeNull();
  });
});

describe('its history', () => {
  it('replays, however often the clock stood', async () => {
    const unasked = () => Promise.reject(new Error('no scripted model is asked'));
    const { 'episode-human': recording } = recordings(unasked, await resolvePack('retail'));
    if (recording === undefined) throw new Error('there is no such recording');
    const rig = await startRig(recording.options);
    rigs.push(rig);
    const [recorded] = await recording.run(rig);
    if (recorded === undefined) throw new Error('nothing was recorded');
    const { handle } = recorded;
    expect(await handle.result()).toMatchObject({ outcome: 'user_stop', turns: 2, steps: 3 });
    expect(await timerEnds(handle)).toEqual(['canceled', 'canceled']);
    const workflowBundle = { codePath: inject('workflowBundle') };
    await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), handle.workflowId);
  });
});

/** Ends of the timers of a workflow, in their order. */
async function timerEnds(handle: WorkflowHandle): Promise<('canceled' | 'fired')[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerCanceledEventAttributes, timerFiredEventAttributes }) => {
    if (timerCanceledEventAttributes) return ['canceled'];
    return timerFiredEventAttributes ? ['fired'] : [];
  });
}

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

const lookUp = calling(['get_order_details', { order_id: '#W5053173' }]);
const lookingUp = () => playLines({ agent: [lookUp, 'Found it.', 'Bye.'], user: ['Hi.', 'Good.', STOP] });

describe('in Temporal, an episode', () => {
  it('has an id that reads as a path, and is found by its search attributes', async () => {
    const rig = await sharedRig({ callModel: lookingUp().callModel });
    const handle = await rig.startEpisode(rig.episodeInput({ taskId: 7, trial: 2 }));
    await handle.result();
    expect(handle.workflowId).toBe(`${rig.run.runId}/task-7/trial-2`);
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      TauEnv: ['retail'],
      TauStrategy: ['tool-calling'],
      TauModel: ['oracle'],
      TauSweep: [rig.run.runId],
      TauTask: [7],
      TauTrial: [2],
      TauOutcome: ['user_stop'],
      TauReward: [1],
    });
    expect((searchAttributes['TauCostUsd'] as number[])[0]).toBeCloseTo(0.006);
  });

  it('has its live transcript, and a summary for each activity', async () => {
    const rig = await sharedRig({ callModel: lookingUp().callModel });
    const handle = await rig.startEpisode(rig.episodeInput());
    await handle.result();
    expect(scheduledActivities(await handle.fetchHistory())).toEqual([
      { type: 'complete', summary: 'user opens' },
      { type: 'complete', summary: 'agent call 1' },
      { type: 'step', summary: 'step 1: get_order_details #W5053173' },
      { type: 'complete', summary: 'agent call 2' },
      { type: 'complete', summary: 'user replies' },
      { type: 'complete', summary: 'agent call 3' },
      { type: 'complete', summary: 'user replies' },
      { type: 'grade', summary: 'grade task 0' },
      { type: 'record', summary: 'record user_stop, reward 0' },
    ]);
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('**reply**: Found it.');
  });

  it('shows where its code waits, for the call stack', async () => {
    const { callModel } = lookingUp();
    let reply = (): void => undefined;
    const held = new Promise<void>((resolve) => (reply = resolve));
    const rig = await sharedRig({ callModel: (...call) => held.then(() => callModel(...call)) });
    const handle = await rig.startEpisode(rig.episodeInput());
    await eventually(async () => {
      expect(await handle.query('__stack_trace')).toMatch(/^ +at play \(workflows\/episode\.ts:\d+:\d+\)$/m);
    });
    reply();
    await handle.result();
  });

  it('with a bug in its code is not lost: it waits, and is reported as stuck', async () => {
    // A result that no code expects: reading it throws an ordinary TypeError in the workflow.
    const rig = await sharedRig({
      callModel: quickModel,
      activities: () => ({ complete: () => Promise.resolve({} as CompleteOutput) }),
    });
    const handle = await rig.startEpisode(rig.episodeInput());
    await eventually(async () => {
      const reason = await stuckReason(rig.client, [`${rig.run.runId}/task-9/trial-9`, handle.workflowId]);
      expect(reason).toMatch(/^.*task-0\/trial-0 is stuck: .*Cannot read properties of undefined/);
    }, 50_000);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});
