export { AIRPORTS } from './tau-bench/airline/list-all-airports.ts';
export { BENCHMARK_NAMES, DEFAULTS, domains, getDomain } from './domains.ts';
export { isServiceDomain } from './service/domain.ts';
export { getBenchmark, findSentenceJudging } from './registry.ts';
export {
  findPart,
  findUnmet,
  isSpellingOnly,
  undecidedSentences,
  withJudgeProblem,
  withVerdicts,
  type Grade,
  type GradeResult,
  type PartKind,
} from './grade.ts';
export type { SentenceJudging } from './grading.ts';
export { fromReferenceInfo, toReferenceInfo, type GradeOutput, type RewardInfo } from './tau-bench/reward-info.ts';
export { isUsersCall, type EpisodeRules } from './rules.ts';
export { applyAction, foldActions, replayStep, taskData } from './environment.ts';
export type { ReplaySequence } from './replay.ts';
export { openOverlay, type EnvData, type Overlay } from './overlay.ts';
export { StateHasher, type Hasher, type Hashing } from './state-hasher.ts';
export { jsonPath } from './json-path.ts';
export { areOutputsWords, findOutputs, grade, groundTruthState, reportedActions } from './tau-bench/reward.ts';
export { SweepOrder, shuffled, type EpisodeKey, type SweepPlan } from './plan.ts';
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
export { textActionOf, findAction, listActions, type TrajectoryForm, type TrajectoryMessage } from './trajectory.ts';
export { RESPOND, STOP_MARKER, type Action, type SentenceVerdict, type StepResult, type Task } from './types.ts';
