/** Every user simulator there is, the person included. A new one is a file of its own and a line here. */

import { humanUser } from './human.ts';
import { llmUser } from './llm.ts';
import type { UserStrategy } from './port.ts';
import { LEAKING, reactUser } from './react.ts';
import { reflectionUser } from './reflection.ts';
import { verifyUser } from './verify.ts';

/** Not simulated at all: a person, who makes no model calls. */
export const HUMAN = 'human';

export const userStrategies: Readonly<Record<string, UserStrategy>> = {
  llm: llmUser,
  react: reactUser,
  verify: (session) => verifyUser(session),
  reflection: (session) => reflectionUser(session),
  [HUMAN]: humanUser,
};

/** Defects of the reference that a user strategy can reproduce: `--compat` names, each with what it does. */
export const userCompat: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  react: { [LEAKING]: 'the agent hears what the simulated customer thinks, as in the reference' },
};

/** @returns undefined when no user strategy has that name */
export function findUserStrategy(name: string): UserStrategy | undefined {
  return Object.hasOwn(userStrategies, name) ? userStrategies[name] : undefined;
}
