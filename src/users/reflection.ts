/**
 * tau-bench's customer with a supervisor who proposes: a rejected reply is reflected upon, the proposal goes into a copy
 * of the conversation, and the model speaks again. Every reply of the model is remembered, the proposals are not; where
 * no reply is accepted, the first one is spoken.
 */

import type { Message } from '../agents/index.ts';
import { ask, heard, opened, OPENS, REPLIES } from './conversation.ts';
import type { UserSession, UserSimulator } from './port.ts';
import { reflect, verify } from './supervisor.ts';

const MAX_ATTEMPTS = 2;

/** @param maxAttempts replies asked for at most, each with its verdict */
export function reflectionUser(session: UserSession, maxAttempts = MAX_ATTEMPTS): UserSimulator {
  const messages = opened('reflection');

  async function answer(shown: readonly Message[], summary: string): Promise<string> {
    const content = await ask(session, shown, summary);
    messages.push({ role: 'assistant', content });
    return content;
  }

  async function speak(summary: string): Promise<string> {
    const shown = [...messages];
    const first = await answer(shown, summary);
    if (await verify(session, shown, first)) return first;
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      shown.push({ role: 'user', content: await reflect(session, shown, first) });
      const next = await answer(shown, `${summary} again`);
      if (await verify(session, shown, next)) return next;
    }
    return first;
  }

  return {
    open: () => speak(OPENS),
    reply(content) {
      messages.push(heard(content));
      return speak(REPLIES);
    },
  };
}
