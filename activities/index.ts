/** Every activity, with what it needs handed in: a worker makes one set for all its queues. */

import { createCompleteActivity, type CompleteDeps } from './complete.ts';
import { createEnvironmentActivities, type EnvironmentDeps } from './environment.ts';
import { createNightlyActivities, type NightlyDeps } from './nightly.ts';
import { createRunLogActivities, type RunLogDeps } from './run-log.ts';

export type ActivityDeps = CompleteDeps & EnvironmentDeps & NightlyDeps & RunLogDeps;
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(deps: ActivityDeps) {
  return {
    complete: createCompleteActivity(deps),
    ...createEnvironmentActivities(deps),
    ...createRunLogActivities(deps),
    ...createNightlyActivities(deps),
  };
}
