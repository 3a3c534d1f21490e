/**
 * tau-bench's user simulators with a supervising model, which sees the conversation and the simulated user's intended
 * reply. Both of its prompts are the pack's; the transcript has the reference's form.
 */

import {
  UserReplyError,
  completeUserReply,
  openingMessages,
  createSimulator,
  type UserSession,
  type UserSimulator,
} from './session.ts';
import type { Message, PromptPart } from '../index.ts';
import { strip } from '../../benchmarks/python/index.ts';

const VERIFY_ATTEMPTS = 3;

/**
 * Creates a user that repeats a reply, up to three times, if the supervisor rejects it. The last reply is spoken even
 * if it was rejected, but only an accepted reply becomes part of the user's conversation.
 *
 * @param maxAttempts maximum number of replies, each with the supervisor's decision
 */
export function verifyUser(session: UserSession, maxAttempts = VERIFY_ATTEMPTS): UserSimulator {
  const messages = openingMessages('verify');

  async function speak(summary: string): Promise<string> {
    let content = '';
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      content = await completeUserReply(session, messages, summary);
      if (await verifyReply(session, messages, content)) {
        messages.push({ role: 'assistant', content });
        break;
      }
    }
    return content;
  }

  return createSimulator(messages, speak);
}

const REFLECTION_ATTEMPTS = 2;

/**
 * Creates a user whose supervisor reflects on a rejected reply: its proposal is added to a copy of the conversation,
 * and the model replies again. The user's conversation contains every reply of the model, but no proposals. If no reply
 * is accepted, the first one is spoken.
 *
 * @param maxAttempts maximum number of replies, each with the supervisor's decision
 */
export function reflectionUser(session: UserSession, maxAttempts = REFLECTION_ATTEMPTS): UserSimulator {
  const messages = openingMessages('reflection');

  async function answer(shown: readonly Message[], summary: string): Promise<string> {
    const content = await completeUserReply(session, shown, summary);
    messages.push({ role: 'assistant', content });
    return content;
  }

  async function speak(summary: string): Promise<string> {
    const shown = [...messages];
    const first = await answer(shown, summary);
    if (await verifyReply(session, shown, first)) return first;
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      shown.push({ role: 'user', content: await reflectOnReply(session, shown, first) });
      const next = await answer(shown, `${summary} again`);
      if (await verifyReply(session, shown, next)) return next;
    }
    return first;
  }

  return createSimulator(messages, speak);
}

/**
 * Labels of the transcript. As in the reference, they are not swapped with the roles, so the service agent is labeled
 * Customer.
 */
const LABELS: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  user: 'Customer',
  assistant: 'Agent',
  tool: 'Tool',
};
const REPLY_MARKER = 'Response:';

/** @returns true if the supervisor finds the reply satisfactory: its answer contains `true` */
async function verifyReply(session: UserSession, messages: readonly Message[], reply: string): Promise<boolean> {
  const answer = await askSupervisor(session, 'verify', messages, reply);
  return answer.toLowerCase().includes('true');
}

/**
 * Requests a proposal from the supervisor, to replace a rejected reply.
 * @throws UserReplyError if the answer has no `Response:`, or several
 */
async function reflectOnReply(session: UserSession, messages: readonly Message[], reply: string): Promise<string> {
  const answer = await askSupervisor(session, 'reflect', messages, reply);
  const [, proposed, ...others] = answer.split(REPLY_MARKER);
  if (proposed !== undefined && others.length === 0) return strip(proposed);
  throw new UserReplyError(`the supervisor's reflection must have one "${REPLY_MARKER}"`, answer);
}

async function askSupervisor(
  session: UserSession,
  key: 'verify' | 'reflect',
  messages: readonly Message[],
  reply: string,
): Promise<string> {
  const role = `user/${key}` as const;
  const part = (index: 0 | 1 | 2): PromptPart => ({ ref: 'supervisor', key, part: index });
  const content = [part(0), ...transcript(messages), part(1), reply, part(2)];
  const { message } = await session.complete({
    role,
    thread: role,
    messages: [{ role: 'user', content }],
    summary: key === 'verify' ? 'supervisor verifies' : 'supervisor reflects',
  });
  return message.content ?? '';
}

/** Formats the transcript as `Label: words`, one per line, with the system prompt, as in the reference. */
function transcript(messages: readonly Message[]): PromptPart[] {
  return messages.flatMap(({ role, content }, index) => {
    const label = `${index === 0 ? '' : '\n'}${LABELS[role]}: `;
    return [label, ...(typeof content === 'string' || content === null ? [content ?? ''] : content)];
  });
}
