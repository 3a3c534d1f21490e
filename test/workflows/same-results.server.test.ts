import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { resolvePack } from '../../src/packs/find.ts';
import { startSweep } from '../../src/temporal/client/sweeps.ts';
import { startRig } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';
import { failing, unavailable } from './steering-rig.ts';

let scripted: ScriptedCaller;

beforeAll(async () => {
  scripted = await startScriptedCaller({ packs: [await resolvePack('retail')] });
});

afterAll(() => scripted.close());

/** A shuffled sweep of a model that answers the same to the same; one of its tasks infrastructure ends. */
async function resultsWith(maxConcurrency: number): Promise<string> {
  const grief = failing((taskId) => (taskId === 3 ? unavailable() : null));
  const rig = await startRig({ callModel: scripted.callModel, activities: (real) => grief(real, {}) });
  try {
    const plan = { taskIds: [0, 1, 2, 3], numTrials: 2, shuffle: true };
    const { handle } = await startSweep(rig.client, rig.sweepInput({ plan, maxConcurrency }));
    await handle.result();
    return await readFile(rig.log.paths.results, 'utf8');
  } finally {
    await rig.stop();
  }
}

it('the same sweep twice has the same results file, byte for byte, however many episodes are open at once', async () => {
  const first = await resultsWith(1);
  const entries = JSON.parse(first) as { readonly reward: number; readonly info: object }[];
  expect(entries).toHaveLength(8);
  expect(entries.filter(({ reward }) => reward === 1)).toHaveLength(6);
  expect(entries.filter(({ info }) => 'traceback' in info)).toHaveLength(2);
  expect(await resultsWith(4)).toBe(first);
});
