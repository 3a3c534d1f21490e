export { fromActionWire, toActionWire, type ActionWire } from './action.ts';
export {
  CALL_SLACK_MS,
  FailureType,
  TURN_WAIT_MS,
  type CloseRunInput,
  type CloseRunOutput,
  type CompleteInput,
  type CompleteOutput,
  type EarlierAttempts,
  type EndStuckInput,
  type EndStuckOutput,
  type FindRecordedInput,
  type FindRecordedOutput,
  type ForkToRecord,
  type GradeInput,
  type GradeOutput,
  type OpenRunOutput,
  type RecordInput,
  type RecordLostInput,
  type RewardInfo,
  type RunInput,
  type StepInput,
  type StepOutput,
  type SumRecordedInput,
  type SumRecordedOutput,
  type SummarizeInput,
  type SupersedeInput,
  type SupersedeOutput,
} from './activities.ts';
export { answerProblem, type Answer, type Conversation, type OpenQuestion, type SpokenLine } from './chat.ts';
export {
  DEFAULT_CALL_TIMEOUT_MS,
  DEFAULT_HEARTBEAT_TIMEOUT_MS,
  DEFAULT_OUTAGE_TIMEOUT_MS,
  type EpisodeKey,
  type EvaluationConfig,
  type ModelConfig,
  type ModelPrice,
  type RunRef,
} from './config.ts';
export {
  isFinal,
  type EpisodeInput,
  type EpisodeSummary,
  type Outcome,
  type OutcomeKind,
  type RoleUsage,
  type StepMetric,
  type TaskQueues,
} from './episode.ts';
export { modelsDoing, needsOtherWorker, otherWorkerNeeded } from './failures.ts';
export { fairnessKey } from './fairness.ts';
export {
  completionOf,
  fitsRequest,
  repliesUntil,
  type Correction,
  type ForkInput,
  type ForkOrigin,
  type KeptStep,
  type RecordedReply,
} from './fork.ts';
export {
  addHeld,
  heldSentence,
  isHoldable,
  isOfAccount,
  isTransient,
  refusedEpisodes,
  type HeldCall,
  type HeldProvider,
  type HeldRelease,
} from './held.ts';
export type {
  CloseErrorsInput,
  ErrorsInput,
  ErrorsProgress,
  ErrorsResult,
  ErrorsTotals,
  FailedEpisode,
  FindFailuresInput,
  FindFailuresOutput,
  JudgeInput,
  JudgeOutput,
  JudgeSettings,
  JudgedAnswer,
  JudgedSource,
  RecordVerdictInput,
  Spent,
} from './judging.ts';
export {
  DEFAULT_REPLY_LIMITS,
  excerptOf,
  excessOf,
  excessSentence,
  withShortReasoning,
  type ReplyExcess,
  type ReplyLimits,
} from './long-reply.ts';
export { sweepMemo } from './memo.ts';
export { NO_MODEL, describeUser, givenPrice, modelOf, modelsOf, providersOf, tokenCapOf } from './models.ts';
export {
  episodeName,
  episodeWorkflowId,
  errorsWorkflowId,
  forkName,
  forkNumber,
  forkWorkflowId,
  laneWorkflowId,
  parseEpisodeName,
  parseForkableName,
  placeOfWorkflow,
  sweepWorkflowId,
  workflowIdOfEpisode,
  type ForkableName,
} from './names.ts';
export {
  NIGHT_SUFFIX_CHARS,
  byNight,
  nightOf,
  nightRunId,
  nightlyWorkflowId,
  scheduleIdOf,
  scheduleNameOf,
  scheduleOfNightly,
  type AlertInput,
  type AlertOutcome,
  type AlertTarget,
  type CompareRunsInput,
  type Night,
  type NightVerdict,
  type NightlyAlerts,
  type NightlyInput,
  type NightlyResult,
  type UnfinishedWork,
  type Verdict,
} from './nightly.ts';
export { OVERLAPS, type Overlap } from './overlaps.ts';
export {
  endpointLabel,
  llmQueue,
  parseMainQueue,
  queuesOfProvider,
  taskQueues,
  type ServedEndpoints,
} from './queues.ts';
export { episodeSeed } from './seed.ts';
export {
  RUN_ENDS,
  type RetryRequest,
  type RunEnd,
  type SweepControl,
  type SweepInput,
  type SweepLimits,
  type SweepPlan,
  type SweepProgress,
  type SweepResult,
  type SweepState,
  type SweepTotals,
} from './sweep.ts';
export { describeValue } from './thrown.ts';
export { NO_TOTALS, addCost, addEpisode, addTotals, asResumed, withoutEpisodes } from './totals.ts';
export {
  EMPTY_CHAIN,
  MAX_CONVERSATION_BYTES,
  TranscriptSender,
  conversationBytes,
  prefixDigest,
  spliceChain,
  unflattenItems,
  type TranscriptChain,
  type TranscriptDelta,
  type TranscriptItem,
} from './transcript.ts';
export { UsageLedger, addCosts, cachedCallsOf, isAgentRole, isTruncated, isUserRole, sumUsage } from './usage.ts';
export { WORKFLOW_VERSION, hasVersion, refuseNewer } from './version.ts';
export { problemOfWebhook } from './webhook.ts';
export { workflowUrl } from './workflow-url.ts';
