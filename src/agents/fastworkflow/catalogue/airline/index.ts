/** tau-bench airline: a command for each of its tools but `think`, which does nothing. */

import { asRead, CALCULATE, TRANSFER_TO_HUMAN_AGENTS } from '../common.ts';
import type { DomainDefinition } from '../domain.ts';
import { LOOKUPS } from './lookups.ts';
import { WRITES } from './writes.ts';

export const AIRLINE: DomainDefinition = {
  commands: [...LOOKUPS.map(asRead), ...WRITES, CALCULATE, TRANSFER_TO_HUMAN_AGENTS],
  withoutCommand: ['think'],
  // The defects that change commands are known of FastWorkflow's retail workflow only.
  variants: {},
};
