/** What a user simulator sees of the world, and what an episode sees of a user simulator. */

import type { Completion, CompletionRequest } from '../agents/port.ts';

export interface UserSession {
  /** One model call with the user's model. */
  complete(request: CompletionRequest): Promise<Completion>;
}

/** The simulated customer of one episode. */
export interface UserSimulator {
  /** Opens the conversation; the answer is the agent's first message. */
  open(): Promise<string>;
  /**
   * Answers what the agent said.
   * @param content the agent's words; null when the model's reply had none
   */
  reply(content: string | null): Promise<string>;
}

export type UserStrategy = (session: UserSession) => UserSimulator;
