/** Sweeps with quick models. */

import type { Activities } from '../../src/orchestration/index.ts';
import { startSweep, type SweepHandle } from '../../src/temporal/client/index.ts';
import { episodeName, type SweepInput, type SweepPlan } from '../../src/evaluation/index.ts';
import { quickModel } from './models.ts';
import type { Rig } from './rig.ts';
import { sharedRig } from './shared-rig.ts';

/** @param activities what stands in for some of the real ones */
export function rigWith(activities: (real: Activities) => Partial<Activities>): Promise<Rig> {
  return sharedRig({ callModel: quickModel, activities });
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
