/** Which failures are the agent's, or its model's, doing, and which are another worker's to mend. */

import type { AgentErrorKind } from '../agents/index.ts';
import { FailureType } from './activities.ts';

const MODELS_DOING: Readonly<Record<string, AgentErrorKind | undefined>> = {
  [FailureType.ContextOverflow]: 'context_overflow',
  [FailureType.ContentFilter]: 'content_filter',
  [FailureType.ReplyTooLong]: 'reply_too_long',
  [FailureType.ObservationTooLong]: 'observation_too_long',
  [FailureType.StepRaised]: 'invalid_action',
};

/** What the model, or what was said to it, made fail; undefined for a failure of any other type. */
export function modelsDoing(failureType: string | undefined): AgentErrorKind | undefined {
  return MODELS_DOING[failureType ?? ''];
}

const NEEDS_OTHER_WORKER = 'needs another worker: ';

/**
 * The error with which workflow code leaves its task to another worker. It is no failure: it fails the workflow task
 * alone, for as long as no other worker takes it, and nothing is lost.
 */
export function otherWorkerNeeded(reason: string): Error {
  return new Error(`${NEEDS_OTHER_WORKER}${reason}`);
}

/** @returns true if a workflow task failed with {@link otherWorkerNeeded}; the server keeps the message alone */
export function needsOtherWorker(message: string): boolean {
  return message.startsWith(NEEDS_OTHER_WORKER);
}
