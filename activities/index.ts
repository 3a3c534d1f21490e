/** All activities with their dependencies. A worker creates one set for all its queues. */

import { createAgentTurnActivity, type AgentTurnDeps } from './agent-turn.ts';
import { CallResults } from './call-results.ts';
import { createCompleteActivity, type CompleteDeps } from './model-calls.ts';
import { createFailureUse } from '../src/results/judge/index.ts';
import { createRunFolders, type RunFolderDeps } from '../src/run-log/store/index.ts';
import { createForwardActivity, type ForwardDeps } from './forward.ts';
import { createEnvironmentActivities, type EnvironmentDeps } from './environment.ts';
import { createJudgeActivity, createVerdictActivities, type JudgeDeps } from './judge.ts';
import { createAlertActivities, type AlertDeps } from './alerts.ts';
import { createStuckEpisodeActivities, type StuckEpisodesDeps } from './lost-episodes.ts';
import { createRunLogActivities, type RunLogDeps } from './run-log.ts';
import { watchOpenEpisodes } from '../src/run-log/index.ts';
import { createReusedReplies } from './reused-calls.ts';
import type { Activities } from '../src/orchestration/index.ts';

export type ActivityDeps = CompleteDeps &
  AgentTurnDeps &
  ForwardDeps &
  EnvironmentDeps &
  JudgeDeps &
  AlertDeps &
  RunFolderDeps &
  RunLogDeps &
  StuckEpisodesDeps;

export function createActivities(deps: ActivityDeps): Activities {
  const folders = createRunFolders(deps);
  const watch = watchOpenEpisodes({ findLog: folders.find, warn: deps.warn });
  const results = new CallResults();
  const useFailures = createFailureUse(deps, folders);
  return {
    complete: createCompleteActivity(deps, watch, createReusedReplies()),
    agentTurn: createAgentTurnActivity(deps, results),
    forward: createForwardActivity(deps, results),
    judge: createJudgeActivity(deps, useFailures),
    ...createVerdictActivities(useFailures),
    ...createEnvironmentActivities(deps, watch, results),
    ...createRunLogActivities(deps, folders, watch),
    ...createStuckEpisodeActivities(deps, folders),
    ...createAlertActivities(deps, folders),
  };
}
export type { PackLookup } from './lookups.ts';
