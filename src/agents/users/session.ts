/**
 * The interface between an episode and a user simulator, and the conversation from the user's side, in which the agent
 * speaks as `user` and the simulated user as `assistant`.
 */

import type { AssistantMessage, Completion, CompletionRequest, Message } from '../index.ts';

export interface UserSession {
  /** One model call with the user's model. */
  complete(request: CompletionRequest): Promise<Completion>;
  /**
   * Waits for a human user, for days if necessary.
   * @param said the agent's message; null if the human user opens the conversation
   */
  person(said: string | null): Promise<string>;
  /** The user's own tools; absent: none. */
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
 * Error of a simulated user whose model did not follow its strategy's form. It is not an error of the agent, so the
 * episode has no score and may run again.
 */
export class UserReplyError extends Error {
  constructor(problem: string, reply: string) {
    const shown = reply.length > SHOWN_CHARS ? `${reply.slice(0, SHOWN_CHARS)}…` : reply;
    super(`${problem}: ${shown}`);
    this.name = 'UserReplyError';
  }
}

/** Most characters of a reply in an error. */
const SHOWN_CHARS = 200;

/** The simulated user of one episode. */
export interface UserSimulator {
  /**
   * Opens the conversation and returns the first message for the agent.
   * @param given the opening message. @default the user's own
   */
  open(given?: string): Promise<string>;
  /**
   * Answers the agent.
   * @param content the agent's message; null if the model's reply had no text
   */
  reply(content: string | null): Promise<string>;
  /**
   * Replaces the user's last message, from which the user then continues. Only forks use it.
   * @default the message cannot be replaced
   */
  correct?(said: string): void;
}

export type UserStrategy = (session: UserSession) => UserSimulator;

/**
 * Returns the first messages. The greeting that opens the user's conversation is not part of the agent's transcript.
 */
export function openingMessages(strategy: string): Message[] {
  return [
    { role: 'system', content: [{ ref: 'user-system', strategy }] },
    { role: 'user', content: [{ ref: 'user-greeting' }] },
  ];
}

/**
 * Converts the agent's text to a message. Providers refuse a message without content, so null becomes an empty text.
 */
function agentMessage(content: string | null): Message {
  return { role: 'user', content: content ?? '' };
}

/** Makes the call for one reply of the user's model. */
export async function completeUserReply(
  session: UserSession,
  messages: readonly Message[],
  summary: string,
): Promise<string> {
  const { message } = await session.complete({ role: 'user', thread: 'user', messages, summary });
  return message.content ?? '';
}

/**
 * Creates a simulator that opens in the same way as it replies.
 * @param messages the conversation, to which the agent's messages are added
 * @param speak returns the next reply; its argument is the call's summary in Temporal UI
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
