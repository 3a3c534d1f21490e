/**
 * The supervising model of the verify and reflection users: it is shown the conversation so far and the reply that the
 * simulated customer wants to give. Both prompts are the pack's; the transcript's form is the reference's.
 */

import type { Message, PromptPart } from '../agents/index.ts';
import { strip } from '../benchmark/python/index.ts';
import { UserReplyError, type UserSession } from './port.ts';

/** Labels are not turned round where roles are, so the service agent reads as Customer: kept from the reference. */
const LABELS: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  user: 'Customer',
  assistant: 'Agent',
  tool: 'Tool',
};
const REPLY_MARKER = 'Response:';

/** Whether the supervisor finds a reply satisfactory: its answer says `true` somewhere. */
export async function verify(session: UserSession, messages: readonly Message[], reply: string): Promise<boolean> {
  const answer = await ask(session, 'verify', messages, reply);
  return answer.toLowerCase().includes('true');
}

/**
 * What the supervisor proposes instead of a reply.
 * @throws UserReplyError when its answer has no `Response:`, or several
 */
export async function reflect(session: UserSession, messages: readonly Message[], reply: string): Promise<string> {
  const answer = await ask(session, 'reflect', messages, reply);
  const [, proposed, ...others] = answer.split(REPLY_MARKER);
  if (proposed !== undefined && others.length === 0) return strip(proposed);
  throw new UserReplyError(`the supervisor's reflection must have one "${REPLY_MARKER}"`, answer);
}

async function ask(
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

/** `Label: words`, one a line; the system prompt is among them, as in the reference. */
function transcript(messages: readonly Message[]): PromptPart[] {
  return messages.flatMap(({ role, content }, index) => {
    const label = `${index === 0 ? '' : '\n'}${LABELS[role]}: `;
    return [label, ...(typeof content === 'string' || content === null ? [content ?? ''] : content)];
  });
}
