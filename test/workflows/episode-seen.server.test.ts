import { describe, expect, it } from 'vitest';

import { TranscriptStore } from '../../src/models/index.ts';
import type { Message } from '../../src/agents/index.ts';
import { stuckReason } from '../../src/temporal/client/index.ts';
import type { CompleteInput } from '../../src/episode/index.ts';
import type { TranscriptDelta, CompleteOutput } from '../../src/evaluation/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { inputsOf, scheduledActivities } from './history.ts';
import { calling, playLines, quickModel, STOP } from './models.ts';
import { sharedRig } from './shared-rig.ts';

const lookUp = calling(['get_order_details', { order_id: '#W5053173' }]);
const conversation = () => playLines({ agent: [lookUp, 'Found it.', 'Bye.'], user: ['Hi.', 'Good.', STOP] });

describe('in Temporal, an episode', () => {
  it('has an id that reads as a path, and is found by its search attributes', async () => {
    const rig = await sharedRig({ callModel: conversation().callModel });
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

  it('has a summary for each activity, of which the steps name the tool and its argument', async () => {
    const rig = await sharedRig({ callModel: conversation().callModel });
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
  });

  it('shows its live transcript as Markdown', async () => {
    const rig = await sharedRig({ callModel: conversation().callModel });
    const handle = await rig.startEpisode(rig.episodeInput());
    await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const page = /^Watch it: `npx tauflow view --log-dir .+`, then \[(.+)\]\(\1\)$/;
    expect(currentDetails.split('\n\n')).toEqual([
      expect.stringMatching(page) as string,
      '**user**: Hi.',
      '**step 1**: `get_order_details {"order_id": "#W5053173"}`',
      expect.stringMatching(/^\*\*observation\*\*: `.*`$/) as string,
      '**reply**: Found it.',
      '**user**: Good.',
      '**reply**: Bye.',
      `**user**: ${STOP}`,
    ]);
  });

  it('shows where its code waits, for the call stack', async () => {
    const { callModel } = conversation();
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

describe('the transcript', () => {
  it('travels once: no call carries what an earlier one carried', async () => {
    const rig = await sharedRig({ callModel: conversation().callModel });
    const handle = await rig.startEpisode(rig.episodeInput());
    await handle.result();
    const sent = inputsOf<CompleteInput>(await handle.fetchHistory(), 'complete')
      .filter(({ role }) => role === 'agent')
      .map(({ transcript: { keep, items } }) => [keep, items.length]);
    expect(sent).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
  });

  it('goes whole, once, to a worker that does not know it, with the same result', async () => {
    const played = async (transcripts: TranscriptStore) => {
      const model = conversation();
      const rig = await sharedRig({ callModel: model.callModel, deps: { transcripts } });
      const handle = await rig.startEpisode(rig.episodeInput());
      const summary = { ...(await handle.result()), durationMs: 0 };
      const record = await rig.log.readEpisode({ taskId: 0, trial: 0 });
      const history = await handle.fetchHistory();
      const keeps = inputsOf<CompleteInput>(history, 'complete')
        .filter(({ role }) => role === 'agent')
        .map(({ transcript }) => transcript.keep);
      return {
        summary,
        trajectory: record?.trajectory,
        asked: model.agentCalls.map(({ messages }) => messages),
        keeps,
      };
    };
    const remembering = await played(new TranscriptStore());
    const forgetting = await played(new ForgetfulStore());
    expect(remembering.keeps).toEqual([0, 2, 4]);
    // After the miss of the second call, the third one carries everything.
    expect(forgetting.keeps).toEqual([0, 2, 0, 0]);
    const summary = { ...remembering.summary, hasMissed: true };
    expect({ ...forgetting, keeps: [] }).toEqual({ ...remembering, summary, keeps: [] });
  });
});

/** A worker that has just been started, at every call. */
class ForgetfulStore extends TranscriptStore {
  override resolve(key: string, delta: TranscriptDelta): Message[] | undefined {
    return delta.keep === 0 ? super.resolve(key, delta) : undefined;
  }
}
