/** The conversation in a request of any API, in the form that the scripted model's roles read. */

import type { OfferedTool, ServedRequest } from '../models/index.ts';
import type { ActionForm } from './roles/action-text.ts';

interface ConversationTurn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Names and arguments of tool calls. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

export interface Conversation {
  /** Text of the system messages, joined by blank lines. */
  readonly system: string;
  /** Messages other than system messages. */
  readonly turns: readonly ConversationTurn[];
  readonly tools: readonly OfferedTool[];
  /** True if the request demands a tool call. */
  readonly mustCall: boolean;
  readonly wantsJson: boolean;
  readonly seed: number | null;
  /** Text form of actions from an earlier request of the conversation. @default found in the prompt */
  readonly form?: ActionForm;
  /** Number of characters that a provider would bill as prompt tokens. */
  readonly promptChars: number;
}

export function readConversation(request: ServedRequest): Conversation {
  const { messages, tools, mustCall, wantsJson, seed, toolChars } = request;
  const system: string[] = [];
  const turns: ConversationTurn[] = [];
  let promptChars = toolChars;
  for (const { role, content, calls } of messages) {
    const text = content ?? '';
    promptChars += text.length;
    for (const call of calls) promptChars += call.name.length + call.arguments.length;
    if (role === 'system') system.push(text);
    else turns.push({ role, text, calls });
  }
  return { system: system.join('\n\n'), turns, tools, mustCall, wantsJson, seed, promptChars };
}

export function firstText(conversation: Conversation, role: ConversationTurn['role']): string | undefined {
  return conversation.turns.find((turn) => turn.role === role)?.text;
}

export function lastText(conversation: Conversation, role: ConversationTurn['role']): string | undefined {
  return conversation.turns.findLast((turn) => turn.role === role)?.text;
}

export function countRoleTurns(conversation: Conversation, role: ConversationTurn['role']): number {
  return conversation.turns.reduce((count, turn) => (turn.role === role ? count + 1 : count), 0);
}
