/** Search in conversations: the words of a query, and whether a conversation has them. Pure; the page's browser code has it too. */

import type { PayloadConversation } from './payload.ts';

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** @returns true if all the words occur in messages, calls, observations or the instruction */
export function hasWords(conversation: Omit<PayloadConversation, 'prompts'>, words: readonly string[]): boolean {
  const { instruction, opening, steps, unread } = conversation;
  const text = [
    instruction,
    opening ?? '',
    ...steps.map((step) => `${step.name}\n${step.thought ?? ''}\n${step.text}\n${step.observation ?? ''}`),
    unread ?? '',
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
