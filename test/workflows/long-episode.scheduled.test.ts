/** An episode of two hundred steps: its history grows by the step, not by what came before, and another worker can take it over. */

import { Worker } from '@temporalio/worker';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';

import { eventCount, payloadBytes, scheduledActivities, type History } from './history.ts';
import { calling, playLines, type Line } from './models.ts';
import { startRig, type Rig, type RigOptions } from './rig.ts';

/** Four hundred activities, one after another, on a machine that others use. */
vi.setConfig({ testTimeout: 240_000 });

const STEPS = 200;
const KEY = { taskId: 0, trial: 0 };
const rigs: Rig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

async function openRig(options: RigOptions): Promise<Rig> {
  const rig = await startRig(options);
  rigs.push(rig);
  return rig;
}

/**
 * Looks the same order up for ever.
 * @param asked is told before each call which one it is, from 1
 */
function modelThatNeverEnds(asked: (call: number) => void = () => undefined) {
  let calls = 0;
  const look: Line = () => {
    asked((calls += 1));
    return Promise.resolve(calling(['get_order_details', { order_id: '#W9119854' }]));
  };
  return playLines({ agent: [look], user: ['What about my order?'] });
}

function sizeOf(history: History) {
  return {
    activities: scheduledActivities(history).length,
    events: eventCount(history),
    bytes: payloadBytes(history),
  };
}

async function playSteps(maxSteps: number) {
  const rig = await openRig({ callModel: modelThatNeverEnds().callModel });
  const handle = await rig.startEpisode(rig.episodeInput(KEY, { maxSteps }));
  expect(await handle.result()).toMatchObject({ outcome: 'max_steps', steps: maxSteps, reward: 0 });
  return sizeOf(await handle.fetchHistory());
}

describe('an episode of two hundred steps', () => {
  it('ends out of steps, and is taken over by another worker in the middle', async ({ annotate }) => {
    const small = await playSteps(STEPS / 4);

    let leave = () => undefined as void;
    let left: Promise<void> = Promise.resolve();
    const model = modelThatNeverEnds((call) => {
      if (call === STEPS / 2) leave();
    });
    const first = await openRig({ callModel: model.callModel });
    leave = () => {
      rigs.splice(rigs.indexOf(first), 1);
      left = first.stop();
    };
    const { workflowId } = await first.startEpisode(first.episodeInput(KEY, { maxSteps: STEPS }));
    await expect.poll(() => model.agentCalls.length, { timeout: 120_000, interval: 100 }).toBe(STEPS / 2);
    await left;

    const { runId, logDir } = first.run;
    const second = await openRig({ callModel: model.callModel, runId, logDir });
    const handle = second.client.workflow.getHandle(workflowId);
    expect(await handle.result()).toMatchObject({ outcome: 'max_steps', steps: STEPS, reward: 0, extraAttempts: 0 });
    expect(model.agentCalls).toHaveLength(STEPS);
    expect((await second.log.readEpisode(KEY))?.steps).toHaveLength(STEPS);

    const history = await handle.fetchHistory();
    const large = sizeOf(history);
    const startedAt = performance.now();
    const workflowBundle = { codePath: inject('workflowBundle') };
    await Worker.runReplayHistory({ workflowBundle, replayName: workflowId }, history, workflowId);
    await annotate(
      `${STEPS} steps: ${large.activities} activities, ${large.events} events, ${Math.round(large.bytes / 1000)} kB of payloads; ` +
        `cold replay ${Math.round(performance.now() - startedAt)} ms`,
    );
    // Six events an activity; the deadline's timer, the start and the end, and what a change of workers takes.
    expect(large.events).toBeLessThanOrEqual(6 * large.activities + 40);
    const perStep = (large.bytes - small.bytes) / (STEPS - STEPS / 4);
    // Of the first steps: the whole conversation goes once to the worker that takes over.
    expect(perStep).toBeLessThan(2 * (small.bytes / (STEPS / 4)));
    expect(large.bytes).toBeLessThan(2_000_000);
  });
});
