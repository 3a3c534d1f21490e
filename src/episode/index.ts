/** One episode: what goes in, what it does, and what comes out of it. Pure. */

export { notedIn, type EarlierEpisode, type EpisodeInput } from './input.ts';
export {
  fromActionWire,
  toActionWire,
  type ActionWire,
  type GradeInput,
  type StepInput,
  type StepMetric,
  type StepOutput,
} from './environment.ts';
export { CALL_SLACK_MS, TURN_WAIT_MS, type CompleteInput, type CompleteOutput } from './completion.ts';
export type { AbandonedAttempt, ForkToRecord, RecordInput, RoleUsage } from './record.ts';
export {
  fitsRequest,
  repliesUntil,
  toCompletion,
  type Correction,
  type ForkFacts,
  type ForkInput,
  type ForkOrigin,
  type RecordedReply,
  type ReplayedStep,
} from './fork.ts';
export {
  findAnswerProblem,
  type Answer,
  type Conversation,
  type OpenQuestion,
  type SpokenLine,
} from './conversation.ts';
export { MAX_OBSERVATION_CHARS, findObservationProblem, type OpenAction, type OutsideObservation } from './outside.ts';
export { UsageLedger, addCosts, addRepairs, isTruncated, knownCostOf, sumCosts, sumUsage } from './usage.ts';
