/** Every activity, with what it needs handed in: a worker makes one set for all its queues. */

import { createCompleteActivity, type CompleteDeps } from './complete.ts';
import { createFailureReader } from '../src/results/judge/index.ts';
import { createEnvironmentActivities, type EnvironmentDeps } from './environment.ts';
import { createJudgeActivity, type JudgeDeps, type OpenFailures } from './judge.ts';
import { createNightlyActivities, type NightlyDeps } from './nightly.ts';
import { createRunLogActivities, type RunLogDeps } from './run-log.ts';
import { createRunFolders, type RunFolderDeps } from './run-folder.ts';
import { createStuckEpisodeActivities, type StuckEpisodesDeps } from './stuck-episodes.ts';
import { createVerdictActivities } from './verdicts.ts';

export type ActivityDeps = CompleteDeps &
  EnvironmentDeps &
  JudgeDeps &
  NightlyDeps &
  RunFolderDeps &
  RunLogDeps &
  StuckEpisodesDeps;
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(deps: ActivityDeps) {
  const folders = createRunFolders(deps);
  const readFailures = createFailureReader(deps);
  const openFailures: OpenFailures = async (source) => {
    await folders.checkSource(source);
    return readFailures(source);
  };
  return {
    complete: createCompleteActivity(deps),
    judge: createJudgeActivity(deps, openFailures),
    ...createVerdictActivities(openFailures),
    ...createEnvironmentActivities(deps),
    ...createRunLogActivities(deps, folders),
    ...createStuckEpisodeActivities(deps, folders),
    ...createNightlyActivities(deps, folders),
  };
}
export type { PackLookup } from './lookups.ts';
