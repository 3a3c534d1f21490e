/** Parts of this module that its tests use beyond its entry point. */

export { startHeartbeat, withAttempts } from './attempts.ts';
export { CallResults } from './call-results.ts';
export { createEnvironmentActivities } from './environment.ts';
export { createForwardActivity, type ForwardDeps } from './forward.ts';
export { createJudgeActivity, createVerdictActivities } from './judge.ts';
export { createCompleteActivity, type CompleteDeps } from './model-calls.ts';
export { createReusedReplies } from './reused-calls.ts';
export { createRunLogActivities } from './run-log.ts';
