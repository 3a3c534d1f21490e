/** The user simulators without a supervisor: one model call per turn, with or without a thought, or a human. */

import {
  UserReplyError,
  completeUserReply,
  openingMessages,
  createSimulator,
  type UserSession,
  type UserSimulator,
  type UserTools,
} from './session.ts';
import type { Message } from '../index.ts';
import { strip } from '../../benchmarks/python/index.ts';
import { STOP_MARKER } from '../../benchmarks/pure.ts';

/** tau-bench's plain simulated user: one model call a turn; the agent gets the reply's text. */
export function llmUser(session: UserSession): UserSimulator {
  const messages = openingMessages('llm');

  async function speak(summary: string): Promise<string> {
    if (session.tools !== undefined) return speakWithTools(session, session.tools, messages, summary);
    const content = await completeUserReply(session, messages, summary);
    messages.push({ role: 'assistant', content });
    return content;
  }

  return {
    ...createSimulator(messages, speak),
    correct(said) {
      messages.splice(-1, 1, { role: 'assistant', content: said });
    },
  };
}

/** Executes the user's calls until the user speaks. @returns an empty text if the episode ends before */
async function speakWithTools(
  session: UserSession,
  tools: UserTools,
  messages: Message[],
  summary: string,
): Promise<string> {
  for (;;) {
    const { message } = await session.complete({ role: 'user', thread: 'user', messages, tools: true, summary });
    const { content, tool_calls: calls } = message;
    if (calls === undefined || calls.length === 0) {
      messages.push({ role: 'assistant', content: content ?? '' });
      return content ?? '';
    }
    messages.push({ role: 'assistant', content, tool_calls: calls });
    const results = await tools.take(message);
    if (results === null) return '';
    messages.push(...results);
  }
}

const THOUGHT = 'Thought:';
const RESPONSE = 'User Response:';

/**
 * tau-bench's simulated user that thinks before each message: the reply has a section `Thought:` and a section
 * `User Response:`. The user's conversation contains the whole reply; the agent gets the response.
 */
export function reactUser(session: UserSession): UserSimulator {
  return thinkingUser(session, readResponse);
}

/** tau-bench's thinking user with tau-bench's defect: the agent also gets the thought. */
export function reactReferenceUser(session: UserSession): UserSimulator {
  return thinkingUser(session, readAsReference);
}

/** @param read returns the part of a reply for the agent */
function thinkingUser(session: UserSession, read: (reply: string) => string): UserSimulator {
  const messages = openingMessages('react');

  async function speak(summary: string): Promise<string> {
    const content = await completeUserReply(session, messages, summary);
    messages.push({ role: 'assistant', content });
    return content.includes(STOP_MARKER) ? STOP_MARKER : read(content);
  }

  return createSimulator(messages, speak);
}

/**
 * Returns the text after the last label. @throws UserReplyError without a label, because a thought must not reach the
 * agent
 */
function readResponse(reply: string): string {
  const at = reply.lastIndexOf(RESPONSE);
  if (at < 0) throw unreadableReply(reply);
  return strip(reply.slice(at + RESPONSE.length));
}

/** Returns the text after the thought's label, which includes the response and its label. */
function readAsReference(reply: string): string {
  const label = [THOUGHT, RESPONSE].find((each) => reply.includes(each));
  if (label === undefined) throw unreadableReply(reply);
  const [, said = '', ...others] = reply.split(label);
  if (others.length > 0) throw new UserReplyError(`the user's reply has "${label}" more than once`, reply);
  return strip(said);
}

function unreadableReply(reply: string): UserReplyError {
  return new UserReplyError(`the user's reply has no "${RESPONSE}"`, reply);
}

/** A human user, who types the messages, without model calls. */
export function humanUser(session: UserSession): UserSimulator {
  return {
    open: (given) => (given === undefined ? session.person(null) : Promise.resolve(given)),
    reply: (content) => session.person(content ?? ''),
  };
}
