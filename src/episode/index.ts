/** One episode: its input, its course and its result. The module is pure. */

export { notedIn, type EarlierEpisode, type EpisodeInput } from './input.ts';
export {
  fromActionWire,
  toActionWire,
  type ActionWire,
  type GradeInput,
  type ServiceGradeInput,
  type StartInput,
  type StartOutput,
  type StepInput,
  type StepMetric,
  type StepOutput,
} from './environment.ts';
export { requireSpace, type CompleteInput } from './completion.ts';
export type { AbandonedAttempt, ForkToRecord, RecordInput, RecordOutput, RoleUsage } from './record.ts';
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
  type HumanAnswer,
  type SpokenConversation,
  type OpenQuestion,
  type SpokenLine,
} from './conversation.ts';
export { MAX_OBSERVATION_CHARS, findObservationProblem, type OpenAction, type OutsideObservation } from './outside.ts';
export { UsageLedger, addCosts, addRepairs, readKnownCost, sumCosts, sumUsage } from './usage.ts';
export { SUMMARY_CHARS, VIEW_PORT, callSummary, cut, formatWatchCommand } from './display.ts';
export { AgentCalls } from './agent-calls.ts';
export { AgentRequests } from './agent-requests.ts';
export { CallHolder } from './call-holder.ts';
export { concludeEpisode, gradeEpisode, type EndedEpisode } from './conclude.ts';
export type { EpisodeContext } from './context.ts';
export { Deadline } from './deadline.ts';
export { infrastructureError, toOutcome, type FailedActivity } from './failures.ts';
export { HumanUser } from './human-user.ts';
export { asMarkdown } from './markdown.ts';
export { OutsideHarness } from './outside-harness.ts';
export { playEpisode } from './play.ts';
export type { Clock, Display, EpisodeActivities, WaitingDisplay } from './ports.ts';
export { judgeGrade } from './sentence-judge.ts';
