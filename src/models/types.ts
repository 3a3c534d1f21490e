/** Requests to a model, and the options of making one. */

import type { ChatCompletionTool } from 'openai/resources';
import type { AssistantMessage, ToolMessage } from '../agents/index.ts';
import type { EpisodeKey, ModelSettings } from '../evaluation/index.ts';
import type { OnExchange } from './exchange.ts';
import type { ModelReply } from './reply.ts';

/** A message as the provider and the results file have it: its content is one plain string. */
export type ExpandedMessage =
  { readonly role: 'system' | 'user'; readonly content: string } | AssistantMessage | ToolMessage;

/** A strict JSON schema: every key is required, no other allowed. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The model may carry LiteLLM's provider prefix; the seed is sent where the provider takes one. */
export interface ModelRequest extends ModelSettings {
  readonly messages: readonly ExpandedMessage[];
  readonly tools?: readonly ChatCompletionTool[];
  /** Tokens that the completion may have, reasoning included; absent: as many as the provider allows. */
  readonly maxCompletionTokens?: number;
  /** @default 'text' */
  readonly format?: 'text' | 'json';
  /** JSON schema of the reply, sent if the model supports one. */
  readonly schema?: ReplySchema;
  /** Names the call for gateways that answer a repeated one from memory. */
  readonly idempotencyKey: string;
  /** The response cache may answer it, and stores its answer; absent: the call is made. */
  readonly cache?: CacheScope;
}

/** Owner of a completion. A request that carries none is never answered from the cache, nor stored. */
export interface CacheScope {
  /** See {@link configurationDigest}. */
  readonly configuration: string;
  readonly episode: EpisodeKey;
  /** Names the call within its episode: `agent 3`. */
  readonly call: string;
}

/** Wait of a call for its turn. */
export interface TurnOptions {
  /** The oldest call is next, also after a retry. @unit milliseconds since 1970 */
  readonly since: number;
  /** @unit milliseconds */
  readonly patienceMs: number;
  /** Called once, if the call does not start at once. */
  readonly onWaiting?: () => void;
}

export interface CallOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time from the start of the request to the last byte of the answer, without the wait for a turn. */
  readonly timeoutMs: number;
  /** Wait for a turn where the provider answers 429. @default as long as `timeoutMs`, behind earlier calls */
  readonly turn?: TurnOptions;
  /** Called before the request is handed to the HTTP client, which waits for it: from then on it may be paid. */
  readonly onSent?: () => Promise<void>;
  /** Called with the bodies of each HTTP request, without keys; not called for cached replies. */
  readonly onExchange?: OnExchange;
}

/**
 * @throws ModelCallError when the provider does not give a usable completion
 * @throws ProviderError when the provider cannot be used in this process
 */
export type CallModel = (request: ModelRequest, options: CallOptions) => Promise<ModelReply>;
