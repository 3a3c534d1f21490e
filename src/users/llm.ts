/**
 * tau-bench's plain simulated customer: one model call a turn, the reply's text is what the agent hears.
 *
 * Roles are seen from the customer's side: the agent speaks as `user`, the customer as `assistant`. The greeting that
 * opens the conversation is not part of the agent's transcript.
 */

import type { Message } from '../agents/port.ts';
import type { UserSession, UserSimulator } from './port.ts';

export function llmUser(session: UserSession): UserSimulator {
  const messages: Message[] = [
    { role: 'system', content: [{ ref: 'user-system', strategy: 'llm' }] },
    { role: 'user', content: [{ ref: 'user-greeting' }] },
  ];

  async function speak(summary: string): Promise<string> {
    const completion = await session.complete({ role: 'user', thread: 'user', messages, summary });
    const content = completion.message.content ?? '';
    messages.push({ role: 'assistant', content });
    return content;
  }

  return {
    open: () => speak('user opens'),
    reply(content) {
      // Providers refuse a message without content; the agent's null is the same silence.
      messages.push({ role: 'user', content: content ?? '' });
      return speak('user replies');
    },
  };
}
