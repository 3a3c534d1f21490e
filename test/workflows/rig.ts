/** A rig on the test run's server, with its bundle; each test has its own, or its own run on workers that a file's tests share. */

import { inject } from 'vitest';

import { SharedWorkers, startRigOn, type Rig, type RigOptions, type RigServer } from './rig-on-server.ts';

export { beating, type Rig, type RigOptions } from './rig-on-server.ts';

export function startRig(options: RigOptions): Promise<Rig> {
  return startRigOn(testServer(), options);
}

export function startSharedWorkers(): Promise<SharedWorkers> {
  return SharedWorkers.start(testServer());
}

function testServer(): RigServer {
  return { ...inject('temporal'), workflowBundle: inject('workflowBundle') };
}
