/** Interprets failures of activities. */

import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/workflow';
import { AgentError } from '../src/agents/index.ts';
import { UserReplyError } from '../src/agents/users/index.ts';
import { EpisodeError } from '../src/episode/index.ts';
import {
  failedRepliesIn,
  toAgentErrorKind,
  type EarlierAttempts,
  type FailedReplies,
  type HeldCall,
  type Outcome,
} from '../src/evaluation/index.ts';

/** The `type` of the application failure behind an activity's failure; undefined for any other error. */
export function failureTypeOf(error: unknown): string | undefined {
  if (!(error instanceof ActivityFailure)) return undefined;
  return error.cause instanceof ApplicationFailure ? (error.cause.type ?? undefined) : undefined;
}

/** A failed model call as the strategy sees it: its own doing, where it is that; else the error itself. */
export function asAgentError(error: unknown): unknown {
  const kind = toAgentErrorKind(failureTypeOf(error));
  if (kind === undefined || !(error instanceof ActivityFailure)) return error;
  return new AgentError(kind, error.cause?.message || 'the activity failed');
}

/** Attempts before a `TranscriptMissing`, as its details count them. */
export function earlierAttemptsOf(error: unknown): EarlierAttempts {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const [earlier] = ((cause instanceof ApplicationFailure ? cause.details : undefined) ?? []) as [EarlierAttempts?];
  const { attempts = 0, apiFailures = 0 } = earlier ?? {};
  return { attempts, apiFailures };
}

/** Paid replies of a failed model call, see `CompleteOutput.failedReplies`; undefined where there are none. */
export function failedRepliesOf(error: unknown): FailedReplies | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return failedRepliesIn(cause instanceof ApplicationFailure ? cause.details?.[0] : undefined);
}

/** Details of the failure of a call, as activities leave them. */
interface CallFailureDetails {
  readonly apiFailures?: number;
  readonly status?: number | null;
  readonly isUnreached?: true;
  readonly isOwnOnceWorked?: true;
  readonly isForModel?: true;
}

/** True if a request to an agent has failed because a provider refused the agent's model call. */
export function isForModel(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const [details] = ((cause instanceof ApplicationFailure ? cause.details : undefined) ?? []) as [CallFailureDetails?];
  return details?.isForModel === true;
}

/** A failed model call: type and message, and the attempts that were made of it so far. */
interface FailedCompletion extends Pick<
  HeldCall,
  'failure' | 'message' | 'status' | 'isUnreached' | 'isOwnOnceWorked'
> {
  readonly earlier: EarlierAttempts;
}

/**
 * Reads the failure of a `complete`.
 * @param earlier attempts of the activities before it
 * @returns null for an error that is not an activity's own failure
 */
export function failedCompletion(error: unknown, earlier: EarlierAttempts): FailedCompletion | null {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return null;
  const { type, message, details } = error.cause;
  const [read = {}] = (details ?? []) as [CallFailureDetails?];
  const { apiFailures = earlier.apiFailures, status, isUnreached, isOwnOnceWorked } = read;
  const attempts = earlier.attempts + Math.max(0, apiFailures - earlier.apiFailures);
  return {
    ...{ failure: type ?? 'ApplicationFailure', message, earlier: { attempts, apiFailures } },
    ...(typeof status === 'number' ? { status } : {}),
    ...(isUnreached === undefined ? {} : { isUnreached }),
    ...(isOwnOnceWorked === undefined ? {} : { isOwnOnceWorked }),
  };
}

/**
 * Maps an error that reached the episode to its outcome.
 *
 * @returns undefined for an error that is neither the model's nor the infrastructure's: a bug, which must fail the
 * workflow task and wait for its fix
 */
export function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof AgentError) return { kind: 'agent_error', error: error.kind, message: error.message };
  if (error instanceof UserReplyError) {
    return { kind: 'infrastructure_error', error: 'UserReplyUnreadable', message: error.message };
  }
  if (error instanceof EpisodeError) {
    return { kind: 'infrastructure_error', error: error.type, message: error.message };
  }
  if (error instanceof ApplicationFailure) {
    return { kind: 'infrastructure_error', error: error.type ?? 'ApplicationFailure', message: error.message };
  }
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) {
    const message = cause.message || 'the activity failed';
    const doing = toAgentErrorKind(cause.type ?? undefined);
    if (doing !== undefined) return { kind: 'agent_error', error: doing, message };
    return { kind: 'infrastructure_error', error: cause.type ?? 'ActivityFailed', message };
  }
  if (cause instanceof TimeoutFailure) {
    return { kind: 'infrastructure_error', error: 'ActivityTimeout', message: `${error.activityType} timed out` };
  }
  if (cause instanceof CancelledFailure) return { kind: 'cancelled' };
  return { kind: 'infrastructure_error', error: 'ActivityFailed', message: cause?.message ?? error.message };
}
