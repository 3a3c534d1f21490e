/** An agent as a function in a user's file, from which `tauflow agent serve` makes a service. */

import type { AssistantMessage, ToolCall, ToolMessage } from '../messages.ts';

/** A message of the conversation in OpenAI's form. */
export type ConversationMessage =
  | { readonly role: 'user'; readonly content: string }
  | Pick<AssistantMessage, 'role' | 'content' | 'tool_calls'>
  | ToolMessage;

/** A tool's schema in OpenAI's form. */
export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    /** JSON Schema of an object. */
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** One request; docs/agent-services.md describes its fields. */
export interface AgentTurn {
  readonly episode: string;
  readonly turn: number;
  readonly request: number;
  readonly attempt: number;
  readonly messages: readonly ConversationMessage[];
  readonly conversation: readonly ConversationMessage[];
  readonly policy: string;
  readonly tools: readonly ToolSchema[];
  /** Base URL of an OpenAI-compatible API. */
  readonly modelUrl: string;
  /** Base URL of an Anthropic-compatible API. */
  readonly anthropicUrl: string;
  /** The tools and the policy as a server of the Model Context Protocol. */
  readonly mcpUrl: string;
  /**
   * Calls a tool.
   * @param args an object, or JSON text of one
   * @returns the observation, even for an invalid call
   * @throws Error when the episode has ended, or another attempt is running
   */
  callTool(name: string, args: object | string): Promise<string>;
}

/** A text for the user, or an answer of the turn protocol. */
export type AgentTurnAnswer =
  | string
  | { readonly message: string }
  | { readonly tool_calls: readonly (ToolCall | { readonly name: string; readonly arguments: object | string })[] }
  | { readonly end: true };

/** The default export of the file. */
export type AgentFunction = (turn: AgentTurn) => AgentTurnAnswer | Promise<AgentTurnAnswer>;
