/** Types of failures across Temporal, failures that another worker resolves, and the version of the workflow code. */

import type { AgentErrorKind, StrategyOptions } from '../agents/index.ts';

/** `ApplicationFailure.type` of failures that the program raises on purpose. */
export const FailureType = {
  /** An invalid request, such as a task that the pack does not have. Not retryable. */
  BadRequest: 'BadRequest',
  /** Every attempt of an activity was lost with its worker. Not retryable. */
  AttemptsLost: 'AttemptsLost',
  /**
   * A dead worker's activity or workflow task that another worker of the same machine has failed on its behalf.
   * Retryable.
   */
  WorkerDied: 'WorkerDied',
  /** The worker does not know the earlier conversation; the workflow sends the whole conversation. Not retryable. */
  TranscriptMissing: 'TranscriptMissing',
  /** The worker has no pack with that digest. Retryable, because another worker may have it. */
  PackUnavailable: 'PackUnavailable',
  /** The worker was not given the file with the run's agent. Retryable: another worker may have it. */
  AgentUnavailable: 'AgentUnavailable',
  /** The worker cannot see or write the run's folder. Retryable, because another worker may. */
  RunLogUnavailable: 'RunLogUnavailable',
  /** An agent from a file threw an error other than `AgentError`: a bug in the file. */
  AgentBroken: 'AgentBroken',
  /** The provider's key is not set on this worker, or is invalid as a header. */
  MissingKey: 'MissingKey',
  /** An answer of status 408, 409 or 5xx, a connection error, a truncated or an empty reply. */
  ModelUnavailable: 'ModelUnavailable',
  RateLimited: 'RateLimited',
  /** The provider did not answer within the call's time, while it answered other calls. */
  CallTimedOut: 'CallTimedOut',
  /**
   * The call waited too long for its turn at a provider that answers 429. It is retryable, and not a failure of the
   * provider.
   */
  NoTurn: 'NoTurn',
  /** The account has no credit left; waiting does not help. */
  QuotaExceeded: 'QuotaExceeded',
  /** An answer of status 401 or 403. */
  NotAuthorised: 'NotAuthorised',
  /** An answer of status 400, 404 or 422: the provider refuses the request. */
  RequestRefused: 'RequestRefused',
  /** An answer of status 200 that is not a completion: the address has another API, or another server answers. */
  NotACompletion: 'NotACompletion',
  /** The provider cannot be reached: unknown host, untrusted certificate, or a refusing proxy. */
  NoConnection: 'NoConnection',
  ContextOverflow: 'ContextOverflow',
  /**
   * The model's output is malformed, such as a tool call without valid JSON, and the provider does not return it as a
   * reply.
   */
  MalformedReply: 'MalformedReply',
  ContentFilter: 'ContentFilter',
  /** A prompt refers to a text that the pack or the strategy does not have. Not retryable. */
  PromptUnavailable: 'PromptUnavailable',
  /** An exception that the reference's step would raise: the agent's action ends the episode. */
  StepRaised: 'StepRaised',
  /** The provider's answer is so large that it was not read to its end. */
  ReplyTooLong: 'ReplyTooLong',
  /** A reply of the simulated user's model is longer than the run allows. */
  UserReplyTooLong: 'UserReplyTooLong',
  /** The observation of an action is too large for a workflow's history. */
  ObservationTooLong: 'ObservationTooLong',
  /** A fork whose strategy acted differently from the origin's in the replayed prefix. */
  ForkDiverged: 'ForkDiverged',
  /** A fork whose calls have reached its budget. */
  BudgetSpent: 'BudgetSpent',
  /** An episode that was ended from outside, because its workflow code could not end it. */
  EpisodeLost: 'EpisodeLost',
  /** An episode that ended in an infrastructure error; the first detail is its summary. */
  EpisodeFailed: 'EpisodeFailed',
  /** An unattended sweep that stopped for a problem of the provider's account. */
  SweepHalted: 'SweepHalted',
  /** An alert about a scheduled run could not be delivered. */
  AlertFailed: 'AlertFailed',
  /** A failed episode that should be judged has run again, or its record was removed. */
  EpisodeGone: 'EpisodeGone',
  /** The agent service has lost the episode; the requests so far are repeated. Not retryable. */
  AgentForgot: 'AgentForgot',
  /** The agent service answered with a status of success, but with no valid answer. */
  InvalidAnswer: 'InvalidAnswer',
  /** The agent itself failed: its function threw, or its service fails at one request while it answers others. */
  AgentFailed: 'AgentFailed',
  /** An agent service that made other calls or gave another answer when its requests were repeated. */
  AgentDiverged: 'AgentDiverged',
  /** The environment service does not answer, is busy or broken. */
  EnvironmentUnavailable: 'EnvironmentUnavailable',
  /** The environment service refuses the request; the message has its reason. */
  EnvironmentRefused: 'EnvironmentRefused',
  /** The environment service's answer does not follow its protocol. */
  EnvironmentInvalid: 'EnvironmentInvalid',
  /** The environment service gave two answers to the same request. */
  EnvironmentDiverged: 'EnvironmentDiverged',
  /** The environment service has lost the episode, and its calls cannot be repeated. */
  EnvironmentLost: 'EnvironmentLost',
  /** A judge that was stopped by a problem of the provider's account. */
  JudgeHalted: 'JudgeHalted',
} as const;
export type FailureType = (typeof FailureType)[keyof typeof FailureType];

const MODELS_DOING: Readonly<Record<string, AgentErrorKind | undefined>> = {
  [FailureType.ContextOverflow]: 'context_overflow',
  [FailureType.ContentFilter]: 'content_filter',
  [FailureType.MalformedReply]: 'invalid_tool_arguments',
  [FailureType.InvalidAnswer]: 'unparsable_reply',
  [FailureType.AgentFailed]: 'agent_failed',
  [FailureType.ReplyTooLong]: 'reply_too_long',
  [FailureType.ObservationTooLong]: 'observation_too_long',
  [FailureType.StepRaised]: 'invalid_action',
};

/** Maps a failure that the model or its prompt caused to the agent's error; undefined for any other failure. */
export function toAgentErrorKind(failureType: string | undefined): AgentErrorKind | undefined {
  return MODELS_DOING[failureType ?? ''];
}

const LEFT_TO_OTHERS: ReadonlySet<string> = new Set([
  FailureType.PackUnavailable,
  FailureType.AgentUnavailable,
  FailureType.RunLogUnavailable,
]);

/** @returns true if an activity failed with this type because its worker lacks something that another may have */
export function isLeftToOtherWorkers(type: string | null | undefined): boolean {
  return LEFT_TO_OTHERS.has(type ?? '');
}

/** Beginning of the message of a failed workflow task that another worker must take; the server keeps no details. */
export const NEEDS_OTHER_WORKER = 'needs another worker: ';

/**
 * The version of the workflow code. Every workflow has it in its input. A change that leads to other commands raises
 * the version, and keeps the earlier behavior for inputs of an earlier version, so that open workflows replay without a
 * marker in each history. A worker whose code is older than the workflow reports that instead of failing the workflow.
 *
 * 2: an episode that is opened in place of a held one keeps the place until it has ended; FastWorkflow refuses several
 * commands in one text and repeated ones, and shortens long turns.
 *
 * 3: an agent that sends the user an empty message ends its episode in tau-bench too; a request that an agent service
 * fails at again and again, while it answers others, ends its episode as the agent's error.
 *
 * 4: the `first_message` of an environment service with the rules `tau-bench` opens the conversation.
 */
export const WORKFLOW_VERSION = 4;

/** @returns the end of a sentence about a run with removed `--compat` names; null for a run without such names */
export function describeRemovedVariants({ compat = [] }: Pick<StrategyOptions, 'compat'>): string | null {
  if (compat.length === 0) return null;
  return `was started with --compat ${compat.join(',')} by an earlier version of Tauflow, and this one has no --compat`;
}
