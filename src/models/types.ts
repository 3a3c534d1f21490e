/** Requests to a model, and the options of making one. */

import type { ChatCompletionTool } from 'openai/resources';
import type { AssistantMessage, ToolMessage } from '../agents/index.ts';
import type { EpisodeKey, ModelSettings } from '../evaluation/index.ts';
import type { OnExchange } from './exchange.ts';
import type { ModelReply } from './reply.ts';

/** A message as the provider gets it and the results file has it: its content is one plain string. */
export type ExpandedMessage =
  { readonly role: 'system' | 'user'; readonly content: string } | AssistantMessage | ToolMessage;

/** A strict JSON schema: every key is required, no other allowed. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A request to a model. The model may have LiteLLM's provider prefix; the seed is sent if the provider takes one. */
export interface ModelRequest extends ModelSettings {
  readonly messages: readonly ExpandedMessage[];
  readonly tools?: readonly ChatCompletionTool[];
  /** Most tokens of the completion, reasoning included; absent: as many as the provider allows. */
  readonly maxCompletionTokens?: number;
  /** @default 'text' */
  readonly format?: 'text' | 'json';
  /** JSON schema of the reply, sent if the model supports one. */
  readonly schema?: ReplySchema;
  /** Name of the call for gateways that answer a repeated call from memory. */
  readonly idempotencyKey: string;
  /** The response cache may answer the request, and stores its answer; absent: the call is made. */
  readonly cache?: CacheScope;
}

/** Owner of a completion. A request without an owner is neither answered from the cache nor stored. */
export interface CacheScope {
  /** See {@link configurationDigest}. */
  readonly configuration: string;
  readonly episode: EpisodeKey;
  /** Names the call within its episode: `agent 3`. */
  readonly call: string;
}

/** Wait of a call for its turn. */
export interface TurnOptions {
  /** Time by which calls are ordered: the oldest one is next, also after a retry. @unit milliseconds since 1970 */
  readonly since: number;
  /** Longest wait for a turn, in milliseconds. */
  readonly patienceMs: number;
  /** Called once, if the call does not start at once. */
  readonly onWaiting?: () => void;
}

export interface CallOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time from the start of the request to the last byte of the answer, without the wait for a turn. */
  readonly timeoutMs: number;
  /** Wait for a turn at a provider that answers 429. @default as long as `timeoutMs`, behind earlier calls */
  readonly turn?: TurnOptions;
  /**
   * Called before the request is passed to the HTTP client, which waits for it. From then on the request may be paid.
   */
  readonly onSent?: () => Promise<void>;
  /** Called with the bodies of each HTTP request, without keys; not called for cached replies. */
  readonly onExchange?: OnExchange;
}

/**
 * @throws ModelCallError when the provider does not give a usable completion
 * @throws ProviderError when the provider cannot be used in this process
 */
export type CallModel = (request: ModelRequest, options: CallOptions) => Promise<ModelReply>;
