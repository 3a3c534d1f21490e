/** A model call of an episode, in the form in which it crosses Temporal. */

import { AgentError, type CallRole, type Message } from '../agents/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type { RunCondition } from '../conditions/index.ts';
import {
  MAX_CONVERSATION_BYTES,
  conversationBytes,
  type EvaluationConfig,
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
  /** Most tokens of the completion; absent: no cap is sent. */
  readonly maxCompletionTokens?: number;
  readonly transcript: TranscriptDelta;
  readonly tools: boolean;
  readonly format: 'text' | 'json';
  /** See `CompletionRequest.schema`. */
  readonly schema?: string;
  /** See `CompletionRequest.replyFields`. */
  readonly replyFields?: string;
  /** Condition of the episode, see {@link EpisodeKey.condition}. @default `base` */
  readonly condition?: RunCondition;
  /** Seed, for providers that take one. */
  readonly seed: number;
  /** Folder of the run log, for a note on the reply while the episode is open. @default no note */
  readonly logDir?: string;
  /** See `EvaluationConfig.keepRequests`; only with {@link logDir}. */
  readonly keepRequests?: true;
  /** See `EpisodeInput.resumes`. */
  readonly resumes?: EarlierEpisode;
}

/**
 * Throws if the conversation is too large for a payload, because a worker that lacks it gets it whole.
 * @throws AgentError `context_overflow`, as for a model whose context is too small
 */
export function requireSpace(messages: readonly Message[]): void {
  const bytes = conversationBytes(messages);
  if (bytes <= MAX_CONVERSATION_BYTES) return;
  const message = `the conversation has ${bytes} bytes; an episode can carry ${MAX_CONVERSATION_BYTES}`;
  throw new AgentError('context_overflow', message);
}
