import { describe, expect, it } from 'vitest';

import { stuckReason } from '../../src/temporal/client/index.ts';
import type { CompleteOutput } from '../../src/evaluation/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { scheduledActivities } from './history.ts';
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

  it('has its live transcript, and a summary for each activity', async () => {
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
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('**reply**: Found it.');
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
