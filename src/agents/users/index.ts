/**
 * User simulators: tau-bench's strategies for the user that the agent talks to, and the human user. A new one is a function
 * in this folder and a line in `userStrategies`.
 */

import { humanUser, llmUser, reactReferenceUser, reactUser } from './simulators.ts';
import type { UserStrategy } from './session.ts';
import { reflectionUser, verifyUser } from './supervised.ts';

export { UserReplyError, type UserSimulator, type UserTools } from './session.ts';

/** User strategy of a human user, who makes no model calls. */
export const HUMAN = 'human';

/** User strategy where an outside harness answers, and steps the environment as well (`--decisions stdio`). */
export const OUTSIDE = 'outside';

export const userStrategies: Readonly<Record<string, UserStrategy>> = {
  llm: llmUser,
  react: reactUser,
  'react-reference': reactReferenceUser,
  verify: (session) => verifyUser(session),
  reflection: (session) => reflectionUser(session),
  [HUMAN]: humanUser,
};

/** @returns undefined when no user strategy has that name */
export function findUserStrategy(name: string): UserStrategy | undefined {
  return Object.hasOwn(userStrategies, name) ? userStrategies[name] : undefined;
}
