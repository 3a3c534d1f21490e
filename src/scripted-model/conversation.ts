/** A request as the roles see it: messages with plain texts, and few questions asked of them. */

import type { ChatRequest } from './request.schema.ts';

export interface Turn {
  readonly role: ChatRequest['messages'][number]['role'];
  readonly text: string;
  /** Names and arguments of the tool calls of an assistant's turn. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

export interface Conversation {
  /** The system messages' text, joined by blank lines. */
  readonly system: string;
  /** All but the system messages. */
  readonly turns: readonly Turn[];
  readonly offersTools: boolean;
  readonly wantsJson: boolean;
  readonly seed: number | null;
  /** Characters of everything that a provider would bill as prompt. */
  readonly promptChars: number;
}

export function readConversation(request: ChatRequest): Conversation {
  const system: string[] = [];
  const turns: Turn[] = [];
  let promptChars = request.tools ? JSON.stringify(request.tools).length : 0;
  for (const { role, content, tool_calls: toolCalls } of request.messages) {
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
    const calls = (toolCalls ?? []).map((call) => call.function);
    promptChars += text.length;
    for (const call of calls) promptChars += call.name.length + call.arguments.length;
    if (role === 'system' || role === 'developer') system.push(text);
    else turns.push({ role, text, calls });
  }
  return {
    system: system.join('\n\n'),
    turns,
    offersTools: (request.tools ?? []).length > 0,
    wantsJson: request.response_format?.type.startsWith('json') ?? false,
    seed: request.seed ?? null,
    promptChars,
  };
}

export function firstText(conversation: Conversation, role: Turn['role']): string | undefined {
  return conversation.turns.find((turn) => turn.role === role)?.text;
}

export function lastText(conversation: Conversation, role: Turn['role']): string | undefined {
  return conversation.turns.findLast((turn) => turn.role === role)?.text;
}

export function countTurns(conversation: Conversation, role: Turn['role']): number {
  return conversation.turns.reduce((count, turn) => (turn.role === role ? count + 1 : count), 0);
}
