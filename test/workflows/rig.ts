/** A rig on the test run's server, with its bundle; each test has its own. */

import { inject } from 'vitest';

import { startRigOn, type Rig, type RigOptions } from './rig-on-server.ts';

export { beating, type Rig, type RigOptions } from './rig-on-server.ts';

export function startRig(options: RigOptions): Promise<Rig> {
  return startRigOn({ ...inject('temporal'), workflowBundle: inject('workflowBundle') }, options);
}
