/** What a user simulator sees of the world, and what an episode sees of a user simulator. */

import type { Completion, CompletionRequest } from '../agents/index.ts';

export interface UserSession {
  /** One model call with the user's model. */
  complete(request: CompletionRequest): Promise<Completion>;
  /**
   * Waits for a person, for days if need be.
   * @param said the agent's words; null: the person opens the conversation
   */
  person(said: string | null): Promise<string>;
  /** Defects of the reference that are reproduced. */
  readonly compat: readonly string[];
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

/** The simulated customer of one episode. */
export interface UserSimulator {
  /** Opens the conversation; the answer is the agent's first message. */
  open(): Promise<string>;
  /**
   * Answers what the agent said.
   * @param content the agent's words; null when the model's reply had none
   */
  reply(content: string | null): Promise<string>;
  /**
   * Puts other words in the place of what the customer said last, so that the customer too goes on as if they had been
   * said. Only forks do that.
   * @default what was said cannot be corrected
   */
  correct?(said: string): void;
}

export type UserStrategy = (session: UserSession) => UserSimulator;
