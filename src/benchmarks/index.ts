export { AIRPORTS } from './tau-bench/airline/list-all-airports.ts';
export * from './pure.ts';
export { domains, getDomain } from './domains.ts';
export { BENCHMARK_NAMES, findSentenceJudging } from './registry.ts';
export { getGrader } from './graders.ts';
export { findPart, findUnmet, isSpellingOnly, type GradeResult, type PartKind } from './grade.ts';
export { fromReferenceInfo, toReferenceInfo, type RewardInfo } from './tau-bench/reward-info.ts';
export { applyAction, foldActions, replayStep, taskData } from './environment.ts';
export type { ReplaySequence } from './replay.ts';
export { openOverlay, type EnvData, type Overlay } from './overlay.ts';
export { StateHasher, type Hasher, type Hashing } from './state-hasher.ts';
export { jsonPath } from './json-path.ts';
export { areOutputsWords, findOutputs, grade, groundTruthState, reportedActions } from './tau-bench/reward.ts';
export { shuffleBySeed } from './plan.ts';
export { StepRaised, type AuditDomain, type Identity, type Shape, type Store } from './domain.ts';
export {
  diffStates,
  diffValues,
  dataHash,
  sameButForSpelling,
  sameState,
  type FieldDiff,
  type RecordDiff,
  type Sha256,
} from './state.ts';
export { recordText } from './state-text.ts';
export { listActions, type ActingMessage } from './trajectory.ts';
