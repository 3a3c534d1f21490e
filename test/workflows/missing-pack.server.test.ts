/** Two workers, one of which has not got the sweep's pack. */

import { afterEach, describe, expect, it } from 'vitest';

import type { CallModel } from '../../src/models/types.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { stuckReason } from '../../src/temporal/client/sweeps.ts';
import { episodeWorkflowId } from '../../src/wire/names.ts';
import { eventually } from '../helpers/eventually.ts';
import { calling, quickModel, replyOf } from './models.ts';
import { startRig, type Rig } from './rig.ts';
import { start, tasks } from './sweep-rig.ts';

const rigs: Rig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

/** Every episode alike, with one step of the environment. */
const callModel: CallModel = (request, options) => {
  const hasStepped = request.messages.some(({ role }) => role === 'tool');
  if (request.tools === undefined || hasStepped) return quickModel(request, options);
  return Promise.resolve(replyOf(calling(['get_order_details', { order_id: '#W9119854' }])));
};

/** @param has whether the worker has the pack by now */
async function worker(has: () => boolean, place: { runId?: string; logDir?: string } = {}): Promise<Rig> {
  const pack = await resolvePack('retail');
  const findPack = () => Promise.resolve(has() ? pack : undefined);
  const rig = await startRig({ callModel, deps: { findPack }, ...place });
  rigs.push(rig);
  return rig;
}

describe('a sweep whose pack is not on every worker', { timeout: 180_000 }, () => {
  it('ends well on those that have it', async () => {
    let misses = 0;
    const rig = await worker(() => true);
    await worker(
      () => {
        misses += 1;
        return false;
      },
      { runId: rig.run.runId, logDir: rig.run.logDir },
    );
    const handle = await start(rig, { plan: tasks(3), maxConcurrency: 3 });
    const { totals } = await handle.result();
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 3 } });
    expect(misses).toBeGreaterThan(0);
    for (let taskId = 0; taskId < 3; taskId++) {
      const record = await rig.log.readEpisode({ taskId, trial: 0 });
      expect(record?.usage).toMatchObject([{ extraAttempts: 0 }, { extraAttempts: 0 }]);
    }
  });

  it('waits where none has it, says why, and continues when it is imported', async () => {
    let isImported = false;
    const bare = await worker(() => isImported);
    const handle = await start(bare, { plan: tasks(1), maxConcurrency: 1 });
    const episode = episodeWorkflowId(bare.run.runId, { taskId: 0, trial: 0 });
    // More attempts than a step that fails by itself has.
    await eventually(async () => {
      const { raw } = await bare.client.workflow.getHandle(episode).describe();
      expect(raw.pendingActivities?.[0]?.attempt).toBeGreaterThan(5);
    }, 120_000);
    const reason = await stuckReason(bare.client, [episode]);
    expect(reason).toMatch(/^\S+\/task-0\/trial-0 is waiting for a worker that has pack .*data import/);
    isImported = true;
    const { totals } = await handle.result();
    expect(totals).toMatchObject({ ended: 1, outcomes: { user_stop: 1 } });
  });
});
