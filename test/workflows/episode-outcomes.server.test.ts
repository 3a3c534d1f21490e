import { Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';

import { dumpJson } from '../../src/benchmarks/python/index.ts';
import type { Action } from '../../src/benchmarks/index.ts';
import { FailureType, WORKFLOW_VERSION, type EpisodeSummary } from '../../src/evaluation/index.ts';
import { scheduledActivities } from './history.ts';
import { calling, failOnce, filteredReply, hang, overflow, playLines, refuse, STOP, type Line } from './models.ts';
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

  it('that the agent hands over to people ends as transferred', async () => {
    const { rig } = await rigWith({ agent: [calling(['transfer_to_human_agents', { summary: 'x' }])], user: ['Hi.'] });
    expect(await play(rig)).toMatchObject({ outcome: 'transferred', reward: 0, steps: 1 });
  });

  it('that is out of steps has reward 0, and its record says what the grade would have been', async () => {
    const agent: Line[] = ['Anything else?'];
    const { rig } = await rigWith({ agent, user: ['Hi.', 'Yes.'] });
    agent.unshift(groundTruthWrite(rig));
    expect(await play(rig, { maxSteps: 2 })).toMatchObject({ outcome: 'max_steps', reward: 0, steps: 2 });
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ reward: 0, rewardInfo: null, wouldBeGrade: { reward: 1 } });
  });

  it('whose agent writes malformed arguments ends with reward 0 and a record', async () => {
    const { rig } = await rigWith({ agent: [calling(['calculate', '{"expression": '])], user: ['Hi.'] });
    const summary = await play(rig);
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, steps: 0 });
    expect(summary.error).toContain('calculate');
    expect(await rig.log.readEpisode(KEY)).toMatchObject({
      outcome: { kind: 'agent_error', error: 'invalid_tool_arguments' },
      reward: 0,
    });
  });

  it('whose agent responds without content ends with reward 0', async () => {
    const { rig } = await rigWith({ agent: [calling(['respond', {}])], user: ['Hi.'] });
    expect(await play(rig)).toMatchObject({ outcome: 'agent_error', reward: 0, error: "'content'" });
  });

  it.each<[string, Line, object]>([
    ['a reply', 'x'.repeat(70_000), { part: 'content', size: 70_000, limit: 65_536 }],
    ['arguments', calling(['calculate', `{"expression": "${'1'.repeat(300_000)}"}`]), { part: 'tool arguments' }],
  ])("whose agent writes %s without end is the agent's error, paid and recorded", async (_what, line, excess) => {
    const { rig } = await rigWith({ agent: ['How can I help?', line], user: ['Hi.', 'So.'] });
    const summary = await play(rig);
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, steps: 1, calls: 4 });
    expect(summary.agentCostUsd).toBeCloseTo(0.002);
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ outcome: { kind: 'agent_error', error: 'reply_too_long' } });
    expect(record?.longReplies).toMatchObject([{ role: 'agent', ...excess }]);
    expect(record?.longReplies?.[0]?.excerpt.length).toBeLessThan(4_100);
    expect(record?.trajectory).toHaveLength(4);
  });

  it("is not blamed on the agent when the user's model writes without end", async () => {
    const { rig } = await rigWith({ agent: ['How can I help?'], user: ['Hi.', 'y'.repeat(70_000)] });
    const failure = await failureOf(play(rig));
    expect(failure.message).toContain("simulated user: the model's reply has 70000 characters");
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ outcome: { kind: 'infrastructure_error', error: FailureType.UserReplyTooLong } });
    expect(record?.longReplies).toMatchObject([{ role: 'user', part: 'content', size: 70_000 }]);
    expect(record?.usage.find(({ role }) => role === 'user')).toMatchObject({ calls: 2 });
  });

  it("is not blamed on the agent when the conversation is too long for the user's model", async () => {
    const { rig } = await rigWith({ agent: ['How can I help?'], user: ['Hi.', overflow] });
    expect((await failureOf(play(rig))).message).toContain('simulated user: 400 too long');
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ outcome: { kind: 'infrastructure_error', error: FailureType.ContextOverflow } });
  });

  it('whose conversation outgrows what an episode can carry ends as one that does not fit the model', async () => {
    const { rig } = await rigWith({ agent: ['é'.repeat(60_000)], user: ['ü'.repeat(60_000)] });
    const input = { ...rig.episodeInput(), version: WORKFLOW_VERSION };
    expect(await (await rig.startEpisode(input)).result()).toMatchObject({ outcome: 'agent_error', reward: 0 });
    const record = await rig.log.readEpisode(KEY);
    expect(record).toMatchObject({ outcome: { kind: 'agent_error', error: 'context_overflow' } });
    expect(record?.steps.length).toBeGreaterThan(3);
  });

  it('whose words cannot be graded ends as an agent error', async () => {
    // Only a task with outputs looks at the words; 2 is the first of the shipped pack.
    const { rig } = await rigWith({ agent: [calling(['respond', { content: 5 }])], user: ['Hi.', STOP] });
    const summary = await (await rig.startEpisode(rig.episodeInput({ taskId: 2 }))).result();
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0 });
    expect(await rig.log.readEpisode({ taskId: 2, trial: 0 })).toMatchObject({
      outcome: { kind: 'agent_error', error: 'ungradable_content' },
    });
  });

  it.each(['agent', 'user'] as const)('counts the last reply of the %s, which a filter withheld', async (side) => {
    const { rig } = await rigWith({ agent: ['Hello.'], user: ['Hi.', 'Bye.'], [side]: [filteredReply] });
    await play(rig).catch(() => undefined);
    const record = await rig.log.readEpisode(KEY);
    expect(record?.outcome).toMatchObject({ error: side === 'agent' ? 'content_filter' : 'ContentFilter' });
    const spent = record?.usage.find(({ role }) => role === side);
    expect(spent).toMatchObject({ calls: 0, promptTokens: 1_000_000, costUsd: 0.001 });
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

  it('whose user cannot be opened is recorded without a conversation', async () => {
    const { rig } = await rigWith({ agent: [null], user: [refuse] });
    expect(await failureOf(play(rig))).toMatchObject({ type: FailureType.EpisodeFailed });
    expect(await rig.log.readEpisode(KEY)).toMatchObject({ trajectory: [], outcome: { kind: 'infrastructure_error' } });
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

  it('that cannot be recorded fails, and reports to the sweep what it has cost', async () => {
    const refused = () => Promise.reject(ApplicationFailure.nonRetryable('no space left on device', 'LogDir'));
    const { rig } = await rigWith(
      { agent: ['Hello'], user: ['Hi.', STOP] },
      { activities: () => ({ record: refused }) },
    );
    const failure = await failureOf(play(rig));
    expect(failure).toMatchObject({ type: FailureType.EpisodeFailed });
    expect(failure.message).toContain("(the episode's record could not be written: no space left on device)");
    expect((failure as ApplicationFailure).details?.[0]).toMatchObject({ outcome: 'infrastructure_error', calls: 3 });
  });

  it('takes a call again that failed for a passing reason, and counts the attempt', async () => {
    const { rig } = await rigWith({ agent: [failOnce('Hello')], user: ['Hi.', STOP] });
    expect(await play(rig)).toMatchObject({ outcome: 'user_stop', calls: 3, extraAttempts: 1 });
  });
});

describe('an odd reply of the model', () => {
  it.each([null, '', ' \n'])('without words ends the episode before the user hears it: %j', async (said) => {
    const { rig, model } = await rigWith({ agent: [said], user: ['Hi.', 'I heard nothing.'] });
    const input = { ...rig.episodeInput(), version: WORKFLOW_VERSION };
    expect(await (await rig.startEpisode(input)).result()).toMatchObject({ outcome: 'agent_error', reward: 0 });
    const record = await rig.log.readEpisode(KEY);
    expect(record?.outcome).toEqual({
      kind: 'agent_error',
      error: 'missing_content',
      message: 'the agent said nothing',
    });
    expect(model.userCalls).toHaveLength(1);
  });

  it('without words is spoken to the user as silence in a run of an earlier version', async () => {
    const { rig, model } = await rigWith({ agent: [null, '', 'Bye'], user: ['Hi.', 'What?', 'Hm?', STOP] });
    const input = { ...rig.episodeInput(), version: 2 };
    expect(await (await rig.startEpisode(input)).result()).toMatchObject({ outcome: 'user_stop', turns: 3, steps: 3 });
    const last = model.userCalls.at(-1)?.messages.filter(({ role }) => role === 'user');
    expect(last?.slice(1).map(({ content }) => content)).toEqual(['', '', 'Bye']);
  });

  it('with two tool calls counts as its first one', async () => {
    const both = calling(['calculate', { expression: '1 + 1' }], ['calculate', { expression: '2 + 2' }]);
    const { rig, model } = await rigWith({ agent: [both, 'Bye'], user: ['Hi.', STOP] });
    expect(await play(rig)).toMatchObject({ outcome: 'user_stop', steps: 2 });
    const seen = model.agentCalls.at(-1)?.messages;
    expect(seen?.at(-1)).toMatchObject({ role: 'tool', content: '2.0' });
    expect(seen?.at(-2)).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'calculate' } }] });
  });

  it('that calls a tool which does not exist is answered, and the episode goes on', async () => {
    const { rig } = await rigWith({ agent: [calling(['fly', { to: 'moon' }]), 'Bye'], user: ['Hi.', STOP] });
    const handle = await rig.startEpisode(rig.episodeInput());
    expect(await handle.result()).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(scheduledActivities(await handle.fetchHistory())).toContainEqual({
      type: 'step',
      summary: 'step 1: fly moon',
    });
  });
});
