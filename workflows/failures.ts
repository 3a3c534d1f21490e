/** Failures of activities, of requests, and of tasks that another worker must take. */

import { ActivityFailure, ApplicationFailure, TimeoutFailure, isCancellation } from '@temporalio/workflow';
import type { FailedActivity } from '../src/episode/index.ts';
import { FailureType, NEEDS_OTHER_WORKER, WORKFLOW_VERSION } from '../src/evaluation/index.ts';

/** Reads the failure behind an error; undefined for an error that is neither an activity's nor a cancellation. */
export function readFailure(error: unknown): FailedActivity | undefined {
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
export function failOnProblem(problem: string | null): void {
  if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
}

/**
 * Returns the error with which workflow code leaves its task to another worker. The error fails only the workflow task,
 * until another worker takes it, and nothing is lost.
 */
export function otherWorkerNeeded(reason: string): Error {
  return new Error(`${NEEDS_OTHER_WORKER}${reason}`);
}

/**
 * Refuses a workflow of a newer version, whose steps are not known here. Call it before anything else.
 * @throws Error, not a failure: it fails the workflow task, which another worker takes, and nothing is lost
 */
export function refuseNewer({ version = WORKFLOW_VERSION }: { readonly version?: number }): void {
  if (version <= WORKFLOW_VERSION) return;
  throw otherWorkerNeeded(
    `this worker's code is older (workflow version ${WORKFLOW_VERSION}) than the one that started this run ` +
      `(${version}); start a worker of that version or newer`,
  );
}
