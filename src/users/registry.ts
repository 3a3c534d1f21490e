/** Every user simulator there is. A new one is a file of its own and a line here. */

import { llmUser } from './llm.ts';
import type { UserStrategy } from './port.ts';

export const userStrategies: Readonly<Record<string, UserStrategy>> = {
  llm: llmUser,
};

/** @returns undefined when no user strategy has that name */
export function findUserStrategy(name: string): UserStrategy | undefined {
  return Object.hasOwn(userStrategies, name) ? userStrategies[name] : undefined;
}
