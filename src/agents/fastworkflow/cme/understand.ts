/** Understands a command, asking a model where words alone do not tell what is meant. */

import type { Turn, Workshop } from '../state.ts';
import { plan } from './plan.ts';
import type { CommandPlan } from './types.ts';

/** @param command what the agent wrote */
export function understand(shop: Workshop, _turn: Turn, command: string): Promise<CommandPlan> {
  return Promise.resolve(plan(shop.catalogue, command, shop.options));
}
