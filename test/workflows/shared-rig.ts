/** Rigs with a run of their own on workers that the tests of a file share; each is stopped when its test has ended. */

import { afterAll, afterEach } from 'vitest';

import type { SharedRigOptions, SharedWorkers } from './rig-on-server.ts';
import { startSharedWorkers, type Rig } from './rig.ts';

/** Started by the first test that has a rig. */
let workers: Promise<SharedWorkers> | undefined;
const rigs: Rig[] = [];

afterAll(async () => {
  await (await workers)?.stop();
});
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

export async function sharedRig(options: SharedRigOptions): Promise<Rig> {
  workers ??= startSharedWorkers();
  const rig = await (await workers).rig(options);
  rigs.push(rig);
  return rig;
}
