/** Failures of an episode's activities, and the outcomes that they lead to. */

import { AgentError } from '../agents/index.ts';
import { UserReplyError } from '../agents/users/index.ts';
import type { FailureType } from '../evaluation/index.ts';
import { toAgentErrorKind, type EarlierAttempts, type HeldCall, type Outcome } from '../evaluation/index.ts';

/** Error that ends an episode without a score, for a reason that is neither the agent's nor the user's. */
export class EpisodeError extends Error {
  readonly type: FailureType;

  constructor(message: string, type: FailureType) {
    super(message);
    this.name = 'EpisodeError';
    this.type = type;
  }
}

/** Failure of an activity, or the cancellation of a wait. */
export interface FailedActivity {
  /** Kind of the failure. `raised`: by the activity's code; `lost`: in any other way. */
  readonly kind: 'raised' | 'timed_out' | 'canceled' | 'lost';
  readonly message: string;
  /** Type of a raised failure, if it has one. */
  readonly type?: string;
  /** First detail of a raised failure, if it has one. */
  readonly detail?: unknown;
}

/** Maps a failed model call to the agent's error if the model caused it; returns any other error unchanged. */
export function asAgentError(error: unknown, failure: FailedActivity | undefined): unknown {
  const kind = toAgentErrorKind(failure?.type);
  return kind === undefined || failure === undefined ? error : new AgentError(kind, failure.message);
}

/** Reads the attempts before a `TranscriptMissing` from its detail. */
export function earlierAttemptsIn(failure: FailedActivity | undefined): EarlierAttempts {
  const { attempts = 0, apiFailures = 0 } = (failure?.detail ?? {}) as Partial<EarlierAttempts>;
  return { attempts, apiFailures };
}

/** Detail of a call's failure, from the activity. */
interface CallFailureDetail {
  readonly apiFailures?: number;
  /** Attempts of the activity that may have been paid. @default its API failures, in older histories */
  readonly attempts?: number;
  readonly status?: number | null;
  readonly isUnreached?: true;
  readonly isOwnOnceWorked?: true;
  readonly isForModel?: true;
}

/** True if a request to an agent has failed because a provider refused the agent's model call. */
export function isForModel(failure: FailedActivity | undefined): boolean {
  return ((failure?.detail ?? {}) as CallFailureDetail).isForModel === true;
}

/** A failed call: type, message, and number of attempts so far. */
interface FailedCall extends Pick<HeldCall, 'failure' | 'message' | 'status' | 'isUnreached' | 'isOwnOnceWorked'> {
  readonly earlier: EarlierAttempts;
}

/**
 * Returns the failure of a call to a model or an agent.
 * @param earlier attempts of earlier activities
 * @returns null for a failure that the activity's code has not raised
 */
export function toFailedCall(failure: FailedActivity | undefined, earlier: EarlierAttempts): FailedCall | null {
  if (failure?.kind !== 'raised') return null;
  const { type = 'ApplicationFailure', message, detail } = failure;
  const {
    apiFailures = earlier.apiFailures,
    attempts = Math.max(0, apiFailures - earlier.apiFailures),
    status,
    isUnreached,
    isOwnOnceWorked,
  } = (detail ?? {}) as CallFailureDetail;
  return {
    ...{ failure: type, message, earlier: { attempts: earlier.attempts + attempts, apiFailures } },
    ...{ status: status ?? undefined, isUnreached, isOwnOnceWorked },
  };
}

/**
 * Maps an error that reached the episode to its outcome.
 * @returns undefined for an error that is neither the model's nor the infrastructure's: a bug, which must fail the
 * workflow task and wait for its fix
 */
export function toOutcome(error: unknown, failure: FailedActivity | undefined): Outcome | undefined {
  if (error instanceof AgentError) return { kind: 'agent_error', error: error.kind, message: error.message };
  if (error instanceof UserReplyError) return infrastructureError('UserReplyUnreadable', error.message);
  if (error instanceof EpisodeError) return infrastructureError(error.type, error.message);
  if (failure === undefined) return undefined;
  const { kind, type, message } = failure;
  if (kind === 'canceled') return { kind: 'cancelled' };
  if (kind === 'timed_out') return infrastructureError('ActivityTimeout', message);
  const agentError = toAgentErrorKind(type);
  if (agentError !== undefined) return { kind: 'agent_error', error: agentError, message };
  return infrastructureError(type ?? 'ActivityFailed', message);
}

export function infrastructureError(error: string, message: string): Outcome {
  return { kind: 'infrastructure_error', error, message };
}
