/**
 * User simulators: tau-bench's strategies for the simulated user, and the human user. A new simulator is a function in
 * this folder and a line in `userStrategies`.
 */

import { humanUser, llmUser, reactReferenceUser, reactUser } from './simulators.ts';
import type { UserStrategy } from './session.ts';
import { reflectionUser, verifyUser } from './supervised.ts';

export { UserReplyError, type UserSimulator, type UserTools } from './session.ts';

/** User strategy of a human user, who makes no model calls. */
export const HUMAN = 'human';

/** User strategy of an outside harness, which answers for the user and steps the environment (`--decisions stdio`). */
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
