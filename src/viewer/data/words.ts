/** Search in conversations: the words of a query, and whether a conversation has them. Pure; the page's browser code has it too. */

import type { PayloadCall, PayloadConversation } from './payload.ts';

export function splitQuery(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** @returns true if all the words occur in messages, calls, observations or the instruction */
export function conversationHasWords(conversation: Omit<PayloadConversation, 'prompts'>, words: readonly string[]): boolean {
  const { instruction, opening, steps, unread } = conversation;
  const text = [
    instruction,
    opening ?? '',
    ...steps.map((step) => `${step.thought ?? ''}\n${callText(step)}\n${step.userCalls.map(callText).join('\n')}`),
    unread ?? '',
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function callText({ name, text, observation }: PayloadCall): string {
  return `${name}\n${text}\n${observation ?? ''}`;
}
