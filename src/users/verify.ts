/**
 * tau-bench's customer with a supervisor: a reply that the supervisor rejects is asked for again, up to three times. The
 * last one is spoken even so, but only an accepted reply is remembered.
 */

import { ask, heard, opened, OPENS, REPLIES } from './conversation.ts';
import type { UserSession, UserSimulator } from './port.ts';
import { verify } from './supervisor.ts';

const MAX_ATTEMPTS = 3;

/** @param maxAttempts replies asked for at most, each with its verdict */
export function verifyUser(session: UserSession, maxAttempts = MAX_ATTEMPTS): UserSimulator {
  const messages = opened('verify');

  async function speak(summary: string): Promise<string> {
    let content = '';
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      content = await ask(session, messages, summary);
      if (await verify(session, messages, content)) {
        messages.push({ role: 'assistant', content });
        break;
      }
    }
    return content;
  }

  return {
    open: () => speak(OPENS),
    reply(content) {
      messages.push(heard(content));
      return speak(REPLIES);
    },
  };
}
