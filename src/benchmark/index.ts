export { AIRPORTS } from './airline/list-all-airports.ts';
export { domains, getDomain } from './domains.ts';
export { applyAction, foldActions, openOverlay, type EnvData } from './environment.ts';
export type { Hasher, Hashing, Sha256 } from './hasher.ts';
export { jsonPath } from './json-path.ts';
export { areOutputsWords, findOutputs } from './outputs.ts';
export type { Overlay } from './overlay.ts';
export { SweepOrder } from './plan.ts';
export { replay, replayStep, type ReplayedStep } from './replay.ts';
export {
  doublyGraded,
  grade,
  groundTruthState,
  reportedActions,
  type GradeOutput,
  type RewardDetail,
  type RewardInfo,
} from './reward.ts';
export type { AuditDomain, Identity, Shape } from './domain.ts';
export { shuffled } from './shuffle.ts';
export { diffStates, diffValues, type FieldDiff, type RecordDiff } from './state-diff.ts';
export { StateHasher } from './state-hasher.ts';
export { dataHash, recordText, sameButForSpelling, sameState } from './state.ts';
export { StepRaised } from './step-raised.ts';
export type { Store } from './store.ts';
export { textActionOf } from './text-actions.ts';
export { actionOf, actionsOf, type TrajectoryForm, type TrajectoryMessage } from './trajectory.ts';
export { RESPOND, STOP_MARKER, type Action, type StepResult, type Task } from './types.ts';
