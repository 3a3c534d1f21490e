/** Output of activities that call a model, and data that an attempt passes to the next one. */

import type { Completion } from '../agents/index.ts';
import type { FailedReplies } from './failed-replies.ts';
import type { ReplyExcess } from './transcript.ts';

export interface CompleteOutput extends Completion {
  /** The model as the provider names what it served. */
  readonly servedModel: string;
  readonly fingerprint: string | null;
  readonly requestId: string | null;
  /** One more than the earlier attempts that may have been paid as well: see {@link EarlierAttempts}. */
  readonly attempt: number;
  /** Fields of the request that the model does not take, and that were left out; absent: none. */
  readonly leftOut?: readonly string[];
  /** Repairs without which the reply could not be read; absent: none. */
  readonly repairs?: readonly string[];
  /** The worker's response cache had it: the cost is 0, the tokens are those of the call that was made once. */
  readonly cached?: true;
  /** The reply was too long: the message's content is its beginning and end, for people alone. */
  readonly tooLong?: ReplyExcess;
  /** The earlier episode was answered this, and had paid it: see `EpisodeInput.resumes`. */
  readonly reused?: true;
  /** Replies of the attempts before, which were paid and are no part of the usage. Absent: none. */
  readonly failedReplies?: FailedReplies;
}

/** Attempts at a call before a worker turned out not to know the conversation; `TranscriptMissing` carries them. */
export interface EarlierAttempts {
  /** Number of attempts that may cost money: the worker died after it sent the request, or the provider failed. */
  readonly attempts: number;
  /** Number of {@link attempts} that the provider failed. */
  readonly apiFailures: number;
}

/** Longest wait of a model call's attempt for its turn at a provider that answers 429. */
export const TURN_WAIT_MS = 120_000;

/** Time of an attempt beyond the call's own deadline: to wait for its turn, to prepare it, to report how it ended. */
export const CALL_SLACK_MS = TURN_WAIT_MS + 30_000;
