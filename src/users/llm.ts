/** tau-bench's plain simulated customer: one model call a turn, the reply's text is what the agent hears. */

import { ask, heard, opened, OPENS, REPLIES } from './conversation.ts';
import type { UserSession, UserSimulator } from './port.ts';

export function llmUser(session: UserSession): UserSimulator {
  const messages = opened('llm');

  async function speak(summary: string): Promise<string> {
    const content = await ask(session, messages, summary);
    messages.push({ role: 'assistant', content });
    return content;
  }

  return {
    open: () => speak(OPENS),
    reply(content) {
      messages.push(heard(content));
      return speak(REPLIES);
    },
    correct(said) {
      messages.splice(-1, 1, { role: 'assistant', content: said });
    },
  };
}
