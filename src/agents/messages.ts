/** Messages, model calls and their replies, as strategies and simulated users have them. */

/**
 * A text that a worker fills in from the domain pack, so that it never travels through a workflow's history.
 *
 * - `policy`: the domain's wiki.
 * - `tools`: the tool schemas as one line of JSON, in Python's spelling.
 * - `agent-prompt`: an entry of the pack's agent prompts, such as `react_instruction`.
 * - `strategy-text`: a text that the running strategy derives from the pack ({@link StrategyDefinition.texts}).
 * - `user-system`: the simulated user's system prompt, the task's instruction included.
 * - `user-greeting`: the message that opens the simulated user's conversation.
 * - `few-shots`: the displays that were drawn for the episode.
 * - `supervisor`: the prompt of a supervisor of the simulated user, the part before the transcript (0), between it and
 *   the reply (1), or after the reply (2).
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
  /** Calls of the simulated user's own tools: only in a trajectory, and never shown to the agent. */
  readonly tool_calls?: readonly ToolCall[];
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
  /** Reasoning that the model wrote into its content: recorded, but no part of the reply and never sent to a model. */
  readonly reasoning_content?: string;
  readonly continuation?: Continuation;
}

/** The API form in which a model is spoken to: OpenAI's chat completions, OpenAI's Responses, Anthropic's Messages. */
export type WireName = 'chat' | 'responses' | 'messages';

/**
 * Data that a provider wants back with a later request (a signature of a thought, encrypted reasoning), unread. It is sent to
 * the provider, model and wire that made it and to no other, and is no part of the trajectory that results show.
 */
export interface Continuation {
  readonly provider: string;
  /** The provider's name for it. */
  readonly model: string;
  readonly wire: WireName;
  /** JSON text of the wire's own form, at most as long as a reply may be. */
  readonly data: string;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string;
  /** Set for the result of a call that the simulated user made. */
  readonly requestor?: 'user';
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Role that a model call is booked to. Sub-roles of the agent are written `agent/planner`. */
export type CallRole = 'agent' | `agent/${string}` | 'user' | `user/${string}` | 'judge';

export interface CompletionRequest {
  readonly role: CallRole;
  /**
   * Names the conversation within the episode. Calls of one thread that share leading messages (or parts) pay for
   * them once in the workflow's history.
   */
  readonly thread: string;
  /** The whole conversation, every time. */
  readonly messages: readonly Message[];
  /** Offer the domain's tools to the model. @default false */
  readonly tools?: boolean;
  /** Ask the provider for a JSON object. @default 'text' */
  readonly format?: 'text' | 'json';
  /**
   * Names the text ({@link StrategyDefinition.texts}) that is the JSON schema of the reply, for providers that hold a model
   * to one; of any other a JSON object is asked for. Only with `format: 'json'`.
   */
  readonly schema?: string;
  /**
   * Names the fields ({@link StrategyDefinition.replyFields}) that the reply must have as a JSON object. It is checked
   * where the call is made; what it says is in {@link Completion.fields}.
   */
  readonly replyFields?: string;
  /** Summary of the call in Temporal UI, at most 100 characters: `think 3`. @default the role */
  readonly summary?: string;
}

/** A field of a reply that is checked where the call is made. */
export interface ReplyFieldDefinition {
  readonly name: string;
  /** A scalar or an object is passed on as text, in JSON's spelling but for texts; a list as its items' texts. */
  readonly type: 'text' | 'list';
}

/** Value of each field in a checked reply; null if the reply has none. */
export type ReplyFieldValues = Readonly<Record<string, string | readonly string[] | null>>;

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Part of the prompt tokens that the provider served from its cache. */
  readonly cachedTokens: number;
  /** Part of the prompt tokens that the provider wrote to its cache, which some charge more for; absent: none. */
  readonly cacheWriteTokens?: number;
  /** Part of the completion tokens that the provider counts as reasoning. */
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
  /** USD, null when the model's price is unknown. Never 0 for lack of a price. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** The reply's fields where the request named any; null when it is not a JSON object of such fields. */
  readonly fields?: ReplyFieldValues | null;
}

/** Providers' names for the end of a completion that reached a token limit. */
const TRUNCATED: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

export function isTruncated(finishReason: string): boolean {
  return TRUNCATED.has(finishReason.toLowerCase());
}
