/**
 * The interface between an episode and a user simulator, and the conversation from the user's side: there the agent speaks
 * as `user`, and the simulated user as `assistant`.
 */

import type { AssistantMessage, Completion, CompletionRequest, Message } from '../index.ts';

export interface UserSession {
  /** One model call with the user's model. */
  complete(request: CompletionRequest): Promise<Completion>;
  /**
   * Waits for a person, for days if need be.
   * @param said the agent's words; null: the person opens the conversation
   */
  person(said: string | null): Promise<string>;
  /** Absent: the user has no tools. */
  readonly tools?: UserTools;
}

/** The simulated user's own tools, in domains that have some. */
export interface UserTools {
  /**
   * Executes the calls of a message.
   * @returns their results, or null when the episode has ended with them
   */
  take(message: AssistantMessage): Promise<readonly Message[] | null>;
}

/**
 * The simulated user's model did not write what its strategy has to read. Neither the agent's doing nor a failure of the
 * agent: the episode has no score, and may be run again.
 */
export class UserReplyError extends Error {
  constructor(problem: string, reply: string) {
    const shown = reply.length > SHOWN_CHARS ? `${reply.slice(0, SHOWN_CHARS)}…` : reply;
    super(`${problem}: ${shown}`);
    this.name = 'UserReplyError';
  }
}

/** Characters of a reply that an error shows. */
const SHOWN_CHARS = 200;

/** The simulated user of one episode. */
export interface UserSimulator {
  /**
   * Opens the conversation; the answer is the agent's first message.
   * @param given the words that it is opened with. @default the user's own
   */
  open(given?: string): Promise<string>;
  /**
   * Answers what the agent said.
   * @param content the agent's words; null when the model's reply had none
   */
  reply(content: string | null): Promise<string>;
  /**
   * Puts other words in the place of what the user said last, so that the user too continues as if they had been
   * said. Only forks do that.
   * @default what was said cannot be corrected
   */
  correct?(said: string): void;
}

export type UserStrategy = (session: UserSession) => UserSimulator;

/** The greeting that opens it is not part of the agent's transcript. */
export function openingMessages(strategy: string): Message[] {
  return [
    { role: 'system', content: [{ ref: 'user-system', strategy }] },
    { role: 'user', content: [{ ref: 'user-greeting' }] },
  ];
}

/** The agent's words as a message. Providers refuse a message without content; the agent's null is the same silence. */
function agentMessage(content: string | null): Message {
  return { role: 'user', content: content ?? '' };
}

/** One reply of the user's model. */
export async function completeUserReply(
  session: UserSession,
  messages: readonly Message[],
  summary: string,
): Promise<string> {
  const { message } = await session.complete({ role: 'user', thread: 'user', messages, summary });
  return message.content ?? '';
}

/**
 * A simulator that opens as it replies.
 * @param messages the conversation, to which the agent's words are added
 * @param speak makes the next reply of it; its argument is the call's summary in Temporal UI
 */
export function createSimulator(messages: Message[], speak: (summary: string) => Promise<string>): UserSimulator {
  return {
    open(given) {
      if (given === undefined) return speak('user opens');
      messages.push({ role: 'assistant', content: given });
      return Promise.resolve(given);
    },
    reply(content) {
      messages.push(agentMessage(content));
      return speak('user replies');
    },
  };
}
