/** The conversation as the simulated customer has it: the agent speaks as `user`, the customer as `assistant`. */

import type { Message } from '../agents/index.ts';
import type { UserSession } from './port.ts';

/** The greeting that opens it is not part of the agent's transcript. */
export function opened(strategy: string): Message[] {
  return [
    { role: 'system', content: [{ ref: 'user-system', strategy }] },
    { role: 'user', content: [{ ref: 'user-greeting' }] },
  ];
}

/** What the agent said. Providers refuse a message without content; the agent's null is the same silence. */
export function heard(content: string | null): Message {
  return { role: 'user', content: content ?? '' };
}

/** One reply of the user's model. */
export async function ask(session: UserSession, messages: readonly Message[], summary: string): Promise<string> {
  const { message } = await session.complete({ role: 'user', thread: 'user', messages, summary });
  return message.content ?? '';
}

/** In Temporal UI. */
export const OPENS = 'user opens';
export const REPLIES = 'user replies';
