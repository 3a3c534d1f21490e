/** Messages, model calls and replies, for strategies and simulated users. */

/**
 * A text that a worker fills in from the domain pack, so that it never enters a workflow's history.
 *
 * - `policy`: the domain's wiki.
 * - `tools`: the tool schemas as one line of JSON, in Python's spelling.
 * - `agent-prompt`: an entry of the pack's agent prompts, such as `react_instruction`.
 * - `strategy-text`: a text that the running strategy derives from the pack ({@link StrategyDefinition.texts}).
 * - `user-system`: the simulated user's system prompt, with the task's instruction.
 * - `user-greeting`: the message that opens the simulated user's conversation.
 * - `few-shots`: the displays that were drawn for the episode.
 * - `supervisor`: a part of the prompt for a supervisor of the simulated user: before the transcript (0), between it
 * and the reply (1), or after the reply (2).
 */
export type PromptRef =
  | { readonly ref: 'policy' }
  | { readonly ref: 'tools' }
  | { readonly ref: 'agent-prompt'; readonly key: string }
  | { readonly ref: 'strategy-text'; readonly key: string }
  | { readonly ref: 'user-system'; readonly strategy: string }
  | { readonly ref: 'user-greeting' }
  | { readonly ref: 'few-shots' }
  | { readonly ref: 'supervisor'; readonly key: 'verify' | 'reflect'; readonly part: 0 | 1 | 2 };

export type PromptPart = string | PromptRef;

/**
 * Parts are concatenated without a separator. Splitting a growing prompt into parts keeps the workflow's history
 * linear: only parts that differ from the previous call of the same thread are sent again.
 */
export type PromptContent = string | readonly PromptPart[];

/** A tool call in OpenAI's wire form; `arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface SystemMessage {
  readonly role: 'system';
  readonly content: PromptContent;
}
interface UserMessage {
  readonly role: 'user';
  readonly content: PromptContent;
  /** Calls of the simulated user's own tools; only in a trajectory, and never visible to the agent. */
  readonly tool_calls?: readonly ToolCall[];
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
  /**
   * Reasoning that the model wrote into its content. It is recorded, but is not part of the reply and is never sent to
   * a model.
   */
  readonly reasoning_content?: string;
  readonly continuation?: Continuation;
}

/** The API form of a model: OpenAI's chat completions, OpenAI's Responses, Anthropic's Messages. */
export type WireName = 'chat' | 'responses' | 'messages';

/**
 * Data that a later request returns to the provider unread (a signature of a thought, encrypted reasoning). It is sent
 * only to the provider, model and wire that made it, and is not in the trajectory of results.
 */
export interface Continuation {
  readonly provider: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly wire: WireName;
  /** JSON text in the wire's own form, at most as long as a reply may be. */
  readonly data: string;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string;
  /** Set to `user` in the result of a call that the simulated user made. */
  readonly requestor?: 'user';
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Role to which a model call's cost is assigned. Sub-roles of the agent are written `agent/planner`. */
export type CallRole = 'agent' | `agent/${string}` | 'user' | `user/${string}` | 'judge';

export interface CompletionRequest {
  readonly role: CallRole;
  /**
   * Name of the conversation within the episode. The workflow's history stores the leading messages (or parts) that
   * calls of one thread share only once.
   */
  readonly thread: string;
  /** Messages of the whole conversation; every request has all of them. */
  readonly messages: readonly Message[];
  /** True to offer the domain's tools to the model. @default false */
  readonly tools?: boolean;
  /** Form of the reply; `json` requests a JSON object. @default 'text' */
  readonly format?: 'text' | 'json';
  /**
   * Name of the text ({@link StrategyDefinition.texts}) with the JSON schema of the reply, for models that take a
   * schema; other models get a request for a JSON object. Only with `format: 'json'`.
   */
  readonly schema?: string;
  /**
   * Name of the fields ({@link StrategyDefinition.replyFields}) that the reply must have as a JSON object. The worker
   * that makes the call checks them; {@link Completion.fields} has their values.
   */
  readonly replyFields?: string;
  /** Summary of the call in Temporal UI, at most 100 characters: `think 3`. @default the role */
  readonly summary?: string;
}

/** A field of a reply that the worker checks. */
export interface ReplyFieldDefinition {
  readonly name: string;
  /**
   * Type of the field's value. `text`: a value other than a text in JSON's spelling; `list`: the texts of its items.
   */
  readonly type: 'text' | 'list';
}

/** Value of each field in a checked reply; null if the reply has none. */
export type ReplyFieldValues = Readonly<Record<string, string | readonly string[] | null>>;

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Part of the prompt tokens that the provider served from its cache. */
  readonly cachedTokens: number;
  /**
   * Part of the prompt tokens that the provider wrote to its cache, for which some providers charge more; absent: none.
   */
  readonly cacheWriteTokens?: number;
  /** Part of the completion tokens that the provider reports as reasoning. */
  readonly reasoningTokens: number;
}

export function addUsage(a: Usage, b: Usage): Usage {
  const cacheWriteTokens = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

export interface Completion {
  readonly message: AssistantMessage;
  readonly finishReason: string;
  readonly usage: Usage;
  /** Cost in USD; null if the model's price is unknown. A missing price never becomes 0. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /**
   * Values of the requested fields; null if the reply is not a JSON object with such fields; absent if no fields were
   * requested.
   */
  readonly fields?: ReplyFieldValues | null;
}

/** Finish reasons of completions that reached a token limit, in providers' words. */
const TRUNCATED: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

export function isTruncated(finishReason: string): boolean {
  return TRUNCATED.has(finishReason.toLowerCase());
}
