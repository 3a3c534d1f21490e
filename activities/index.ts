/** Every activity, with what it needs handed in: a worker makes one set for all its queues. */

import { createAgentTurnActivity, type AgentTurnDeps } from './agent-turn.ts';
import { CallResults } from './call-results.ts';
import { createCompleteActivity, type CompleteDeps } from './model-calls.ts';
import { createFailureReader, verdictPlace } from '../src/results/judge/index.ts';
import { judgedPart } from '../src/run-log/store/index.ts';
import { createForwardActivity, type ForwardDeps } from './forward.ts';
import { createEnvironmentActivities, type EnvironmentDeps } from './environment.ts';
import { createJudgeActivity, createVerdictActivities, type JudgeDeps, type UseFailures } from './judge.ts';
import { createAlertActivities, type AlertDeps } from './alerts.ts';
import {
  createRunLogActivities,
  createStuckEpisodeActivities,
  type RunLogDeps,
  type StuckEpisodesDeps,
} from './run-log.ts';
import { watchOpenEpisodes } from './open-episodes.ts';
import { createReusedReplies } from './reused-calls.ts';
import { createRunFolders, type RunFolderDeps } from './lookups.ts';
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
  const watch = watchOpenEpisodes(deps, folders);
  const results = new CallResults();
  const readFailures = createFailureReader(deps);
  const useFailures: UseFailures = (source, episode, work) =>
    folders.useJudged(source, judgedPart(episode), async (judged) =>
      work(await readFailures(judged), verdictPlace(judged)),
    );
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
