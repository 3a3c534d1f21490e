/** Sweeps with quick models, on workers that the tests of a file share; each rig is stopped when its test has ended. */

import { afterAll, afterEach } from 'vitest';

import type { Activities } from '../../src/wire/activities.ts';
import { startSweep, type SweepHandle } from '../../src/temporal/client/sweeps.ts';
import { episodeName } from '../../src/wire/names.ts';
import type { SweepInput, SweepPlan } from '../../src/wire/sweep.ts';
import { quickModel } from './models.ts';
import { startSharedWorkers, type Rig } from './rig.ts';
import type { SharedWorkers } from './rig-on-server.ts';

/** Started by the first test that has a rig. */
let workers: Promise<SharedWorkers> | undefined;
const rigs: Rig[] = [];

afterAll(async () => {
  await (await workers)?.stop();
});
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

/** @param activities what stands in for some of the real ones */
export async function rigWith(activities: (real: Activities) => Partial<Activities>): Promise<Rig> {
  workers ??= startSharedWorkers();
  const rig = await (await workers).rig({ callModel: quickModel, activities });
  rigs.push(rig);
  return rig;
}

export async function start(rig: Rig, changes: Partial<SweepInput> = {}): Promise<SweepHandle> {
  return (await startSweep(rig.client, rig.sweepInput(changes))).handle;
}

/** A plan of the first tasks, one trial each. */
export function tasks(count: number): SweepPlan {
  return { taskIds: Array.from({ length: count }, (_, id) => id), numTrials: 1, shuffle: false };
}

export function names(...ids: number[]): string[] {
  return ids.map((taskId) => episodeName({ taskId, trial: 0 }));
}
