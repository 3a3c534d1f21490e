/** Episodes whose user is a person: they wait without a worker and without a clock, and take one answer a question. */

import { WorkflowUpdateFailedError, type WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { afterEach, describe, expect, inject, it } from 'vitest';

import { conversation, answer, type episode } from '../../workflows/client.ts';
import { hang, playLines, STOP, type Line } from './models.ts';
import { asked, HUMAN_USER, say } from './people.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { recordings } from './recordings.ts';
import { startRig, type Rig, type RigOptions } from './rig.ts';

type Handle = WorkflowHandle<typeof episode>;

const rigs: Rig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

async function rigWith(agent: Line[], options: Partial<RigOptions> = {}) {
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
    const { rig, model } = await rigWith(['Shall I?']);
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
    const { rig } = await rigWith(['Shall I?', hang]);
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
    const { rig: first } = await rigWith(['Shall I?']);
    const handle = await first.startEpisode(first.episodeInput({}, HUMAN_USER));
    await say(handle, 1, 'Hi.');
    const before = await asked(handle, 2);
    const { run } = first;
    rigs.splice(0);
    // The run log stays: it is the second rig's as well.
    const { rig: second } = await rigWith(['Never said.'], { runId: run.runId, logDir: run.logDir });
    await first.stop();
    const again: Handle = second.client.workflow.getHandle(handle.workflowId);
    expect(await asked(again, 2)).toEqual(before);
    await say(again, 2, STOP);
    expect(await again.result()).toMatchObject({ outcome: 'user_stop', turns: 1 });
  });

  it('can be cancelled while it waits', async () => {
    const { rig } = await rigWith(['Shall I?']);
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
