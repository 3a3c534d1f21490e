/** Rigs with a run of their own on workers that the tests of a file share; each is stopped when its test has ended. */

import { onTestFinished } from 'vitest';

import { atEndOfFile } from '../helpers/end-of-file.ts';
import type { SharedRigOptions, SharedWorkers } from './rig-on-server.ts';
import { startSharedWorkers, type Rig } from './rig.ts';

/** Started by the first test that has a rig. */
let workers: Promise<SharedWorkers> | undefined;

export async function sharedRig(options: SharedRigOptions): Promise<Rig> {
  workers ??= startForFile();
  const rig = await (await workers).rig(options);
  onTestFinished(() => rig.stop());
  return rig;
}

function startForFile(): Promise<SharedWorkers> {
  const started = startSharedWorkers();
  atEndOfFile(async () => {
    workers = undefined;
    await (await started).stop();
  });
  return started;
}
