/**
 * What an agent strategy sees of the world: two functions and a few texts. It knows nothing of Temporal, so it can
 * be read, tested and swapped without a server. In the episode workflow the functions are backed by activities, in
 * unit tests by plain objects.
 */

import type { Action, StepResult } from '../bench/types.ts';

/**
 * A text that a worker fills in from the domain pack, so that it never travels through a workflow's history.
 *
 * - `policy`: the domain's wiki.
 * - `tools`: the tool schemas as one line of JSON, in Python's spelling.
 * - `agent-prompt`: an entry of the pack's agent prompts, such as `react_instruction`.
 * - `strategy-text`: a text that the running strategy derives from the pack ({@link StrategyDefinition.texts}).
 * - `user-system`: the simulated user's system prompt, the task's instruction included.
 * - `user-greeting`: the message that opens the simulated user's conversation.
 */
export type PromptRef =
  | { readonly ref: 'policy' }
  | { readonly ref: 'tools' }
  | { readonly ref: 'agent-prompt'; readonly key: string }
  | { readonly ref: 'strategy-text'; readonly key: string }
  | { readonly ref: 'user-system'; readonly strategy: string }
  | { readonly ref: 'user-greeting' };

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

export interface SystemMessage {
  readonly role: 'system';
  readonly content: PromptContent;
}
export interface UserMessage {
  readonly role: 'user';
  readonly content: PromptContent;
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
}
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string;
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Whom a model call is booked to. Sub-roles of the agent are written `agent/planner`. */
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
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Part of the prompt tokens that the provider served from its cache. */
  readonly cachedTokens: number;
  /** Part of the completion tokens that the provider counts as reasoning. */
  readonly reasoningTokens: number;
}

export interface Completion {
  readonly message: AssistantMessage;
  readonly finishReason: string;
  readonly usage: Usage;
  /** USD, null when the model's price is unknown. Never 0 for lack of a price. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
}

/** Why a strategy had to give up; each is the model's doing, never the infrastructure's. */
export type AgentErrorKind =
  | 'invalid_tool_arguments'
  | 'invalid_action'
  | 'missing_content'
  | 'ungradable_content'
  | 'unparsable_reply'
  | 'context_overflow'
  | 'content_filter';

/** What the model did makes it impossible to go on: the episode ends with reward 0 and this message. */
export class AgentError extends Error {
  readonly kind: AgentErrorKind;

  constructor(kind: AgentErrorKind, message: string) {
    super(message);
    this.name = 'AgentError';
    this.kind = kind;
  }
}

export interface AgentSession {
  /** What the simulated user opened with. */
  readonly firstMessage: string;
  /**
   * What the results file shows as `traj`. The strategy appends to it as the conversation goes, so that it is there
   * even when the episode ends in an error. Assistant messages carry at most the one tool call that was executed.
   */
  readonly trajectory: Message[];
  /** Environment steps that may still be taken. */
  stepsLeft(): number;
  /** One model call. Rejects when the provider cannot be made to answer; a strategy does not catch that. */
  complete(request: CompletionRequest): Promise<Completion>;
  /** One environment action; `respond` goes to the simulated user. */
  step(action: Action): Promise<StepResult>;
}

export interface StrategyOptions {
  /** Leave the policy text out of the agent's prompts (a variant, named in the results). */
  readonly omitPolicy: boolean;
  /** ReAct (true) or Act (false), where a strategy has both. */
  readonly useReasoning: boolean;
}

/** How a strategy came to its end: the environment said done, or there were no steps left. */
export type SolveEnd = 'done' | 'max_steps';

export type Strategy = (session: AgentSession, options: StrategyOptions) => Promise<SolveEnd>;

/** What a strategy's texts may be derived from. */
export interface StrategyTextContext {
  readonly policy: string;
  /** The tool schemas as one line of JSON, in Python's spelling. */
  readonly toolsJson: string;
  readonly options: StrategyOptions;
}

export interface StrategyDefinition {
  readonly name: string;
  readonly solve: Strategy;
  /** Texts that a worker renders when a prompt refers to them (`strategy-text`). */
  readonly texts?: Readonly<Record<string, (context: StrategyTextContext) => string>>;
  /** Domains that the strategy is made for. @default every domain */
  readonly domains?: readonly string[];
  /** The variant's name for the leaderboard row and the results, e.g. `TC`. */
  readonly label: string;
}
