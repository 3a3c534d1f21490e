/** A model call of an episode, as it crosses Temporal. */

import { AgentError, type CallRole, type Completion, type Message } from '../agents/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import {
  MAX_CONVERSATION_BYTES,
  conversationBytes,
  type EvaluationConfig,
  type FailedReplies,
  type ReplyExcess,
  type ReplyLimits,
  type TranscriptDelta,
} from '../evaluation/index.ts';
import type { ForwardInput } from '../agent-service/pure.ts';
import type { EarlierEpisode } from './input.ts';

export interface CompleteInput extends Omit<ForwardInput, 'wire' | 'transcript'> {
  readonly pack: PackRef;
  readonly split: string;
  readonly strategy: string;
  readonly strategyOptions: EvaluationConfig['strategyOptions'];
  readonly role: CallRole;
  /** Tokens that the completion may have; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  readonly transcript: TranscriptDelta;
  readonly tools: boolean;
  readonly format: 'text' | 'json';
  /** See `CompletionRequest.schema`. */
  readonly schema?: string;
  /** See `CompletionRequest.replyFields`. */
  readonly replyFields?: string;
  /** Passed to providers that take a seed. */
  readonly seed: number;
  /** See `EvaluationConfig.replyLimits`. */
  readonly replyLimits?: ReplyLimits;
  /** Folder of the run log in which the reply is noted while the episode goes on; absent: nowhere. */
  readonly logDir?: string;
  /** See `EvaluationConfig.keepRequests`; only with {@link logDir}. */
  readonly keepRequests?: true;
  /** See `EpisodeInput.resumes`. */
  readonly resumes?: EarlierEpisode;
}

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

/** Longest wait of a model call's attempt for its turn at a provider that answers 429. */
export const TURN_WAIT_MS = 120_000;

/** Time of an attempt beyond the call's own deadline: to wait for its turn, to prepare it, to report how it ended. */
export const CALL_SLACK_MS = TURN_WAIT_MS + 30_000;

/**
 * A worker that does not know a conversation is sent the whole of it in one payload.
 * @throws AgentError `context_overflow`, as for a model whose context it does not fit into
 */
export function requireSpace(messages: readonly Message[]): void {
  const bytes = conversationBytes(messages);
  if (bytes <= MAX_CONVERSATION_BYTES) return;
  const message = `the conversation has ${bytes} bytes; an episode can carry ${MAX_CONVERSATION_BYTES}`;
  throw new AgentError('context_overflow', message);
}
