/** Failures of activities, and of requests. */

import { ActivityFailure, ApplicationFailure, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import type { Failure } from '../src/episode/index.ts';
import { FailureType } from '../src/evaluation/index.ts';

/** Reads the failure behind an error; undefined for an error that is neither an activity's nor a cancellation. */
export function readFailure(error: unknown): Failure | undefined {
  if (isCancellation(error)) return { kind: 'canceled', message: 'canceled' };
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause, activityType } = error;
  if (cause instanceof TimeoutFailure) return { kind: 'timed_out', message: `${activityType} timed out` };
  if (!(cause instanceof ApplicationFailure)) return { kind: 'lost', message: cause?.message ?? error.message };
  const { type, details } = cause;
  const message = cause.message || 'the activity failed';
  return { kind: 'raised', message, type: type ?? undefined, detail: details?.[0] };
}

/** Refuses a request, if there is a reason to. */
export function refuse(problem: string | null): void {
  if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
}
