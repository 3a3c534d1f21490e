/** A worker is lost between the plan of a command and its step: another one takes the step, once. */

import { afterEach, describe, expect, it } from 'vitest';

import type { Activities } from '../../src/wire/activities.ts';
import type { EpisodeRecord } from '../../src/results/log/record.ts';
import { answerReply, commandReply, finishReply, planReply } from '../agents/fastworkflow/replies.ts';
import { scheduledActivities } from './history.ts';
import { playLines, STOP, type Line, type PlayedModel } from './models.ts';
import { startRig, type Rig } from './rig.ts';

const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const CANCEL = 'cancel_pending_order <order_id>#W9119854</order_id> <reason>ordered by mistake</reason>';
const LOOK = 'get_order_details <order_id>#W9119854</order_id>';
const KEY = { taskId: 1, trial: 0 };

/** @param chosen called when the model has chosen to cancel, before anybody hears of it */
function modelThat(chosen: () => Promise<void>): PlayedModel {
  const cancel: Line = async () => {
    await chosen();
    return commandReply(CANCEL);
  };
  const agent: Line[] = [planReply(), cancel, commandReply(LOOK), finishReply(), answerReply('It is cancelled.')];
  return playLines({ agent, user: ['Cancel it, please.', STOP] });
}

async function startWorker(model: PlayedModel, stepped: string[], options: { runId?: string; logDir?: string } = {}) {
  const activities = (real: Activities): Partial<Activities> => ({
    step: (input) => {
      stepped.push(input.action.name);
      return real.step(input);
    },
  });
  const rig = await startRig({ callModel: model.callModel, activities, ...options });
  rigs.push(rig);
  return rig;
}

function start(rig: Rig) {
  return rig.startEpisode(rig.episodeInput(KEY, { strategy: 'fastworkflow' }));
}

async function recordOf(rig: Rig): Promise<EpisodeRecord> {
  const record = await rig.log.readEpisode(KEY);
  if (record === null) throw new Error('no record');
  return record;
}

describe('an episode whose worker is lost between the plan of a command and its step', () => {
  it('takes the step once, and goes as if nothing had happened', async () => {
    const undisturbed: string[] = [];
    const calm = await startWorker(
      modelThat(() => Promise.resolve()),
      undisturbed,
    );
    await (await start(calm)).result();
    const expected = await recordOf(calm);
    expect(expected).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });

    // The answer is given when the worker has stopped to take work: it is heard, but nothing is made of it here.
    let leave: () => Promise<void> = () => Promise.resolve();
    let left: Promise<void> = Promise.resolve();
    const model = modelThat(() => leave());
    const byFirst: string[] = [];
    const first = await startWorker(model, byFirst, { logDir: calm.run.logDir });
    leave = () => {
      leave = () => Promise.resolve();
      left = first.stop();
      return Promise.resolve();
    };
    const handle = await start(first);
    await expect.poll(() => model.agentCalls.length, { timeout: 20_000 }).toBe(2);
    await left;
    rigs.splice(rigs.indexOf(first), 1);
    expect(byFirst).toEqual([]);

    const bySecond: string[] = [];
    const second = await startWorker(model, bySecond, { runId: first.run.runId, logDir: calm.run.logDir });
    await second.client.workflow.getHandle(handle.workflowId).result();
    expect(bySecond).toEqual(undisturbed);
    expect(model.agentCalls).toHaveLength(5);
    const record = await recordOf(second);
    expect(record.trajectory).toEqual(expected.trajectory);
    expect(record.actions).toEqual(expected.actions);
    expect(record).toMatchObject({ reward: 1, counts: expected.counts });
    const history = await second.client.workflow.getHandle(handle.workflowId).fetchHistory();
    const steps = scheduledActivities(history).filter(({ type }) => type === 'step');
    expect(steps.map(({ summary }) => summary)).toEqual([
      'step 1: cancel_pending_order #W9119854',
      'step 2: get_order_details #W9119854',
    ]);
  });
});
