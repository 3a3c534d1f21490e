/** Output of activities that call a model, and data from one attempt for the next. */

import type { Completion } from '../agents/index.ts';
import type { FailedReplies } from './failed-replies.ts';
import type { ReplyExcess } from './transcript.ts';

export interface CompleteOutput extends Completion {
  /** The model's name in the provider's reply. */
  readonly servedModel: string;
  readonly fingerprint: string | null;
  readonly requestId: string | null;
  /** Number of the attempt, one more than the earlier attempts that may have been paid, see {@link EarlierAttempts}. */
  readonly attempt: number;
  /** Fields that were left out of the request because the model refuses them; absent: none. */
  readonly leftOut?: readonly string[];
  /** Repairs of the reply that made it readable; absent: none. */
  readonly repairs?: readonly string[];
  /** Set if the reply is from the worker's response cache: the cost is 0, the tokens are those of the original call. */
  readonly cached?: true;
  /** Set if the reply was too long: the message then has only its beginning and end, for people to read. */
  readonly tooLong?: ReplyExcess;
  /** Set if the earlier episode received and paid this reply: see `EpisodeInput.resumes`. */
  readonly reused?: true;
  /** Replies of earlier attempts, which were paid and are not in the usage. Absent: none. */
  readonly failedReplies?: FailedReplies;
}

/** Attempts at a call before a worker that lacked the conversation; `TranscriptMissing` carries them. */
export interface EarlierAttempts {
  /** Number of attempts that may cost money: the worker died after it had sent the request, or the provider failed. */
  readonly attempts: number;
  /** Number of {@link attempts} in which the provider failed. */
  readonly apiFailures: number;
}

/** Longest wait of an attempt for its turn at a provider that answers 429, in milliseconds. */
export const TURN_WAIT_MS = 120_000;

/**
 * Time of an attempt beyond the call's own deadline in milliseconds: for waiting for a turn, preparing the call, and
 * reporting its end.
 */
export const CALL_SLACK_MS = TURN_WAIT_MS + 30_000;
