/** A fault from what is known of it. */

import type { Fault, FaultKind } from '../types.ts';
import { FAULT_TYPE_OF } from './fault-types.ts';

export type FaultParts = Pick<Fault, 'kind' | 'step' | 'sentence'> &
  Partial<Pick<Fault, 'tool' | 'argument' | 'expected' | 'given'>>;

export function makeFault(parts: FaultParts): Fault {
  return {
    tool: null,
    argument: null,
    expected: null,
    given: null,
    ...parts,
    faultType: FAULT_TYPE_OF[parts.kind],
  };
}

/** Of faults at one step, what the others follow from comes first. */
const RANK: Readonly<Record<FaultKind, number>> = {
  infrastructure: 0,
  unreadable_call: 1,
  other: 2,
  out_of_steps: 3,
  transferred_early: 4,
  wrong_order: 5,
  wrong_tool: 6,
  wrong_argument: 7,
  number_spelling: 8,
  extra_write: 9,
  said_not_done: 10,
  missing_write: 11,
  missing_output: 12,
};

/** In the order in which they arose; those without a step come last. */
export function inOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => (a.step ?? Infinity) - (b.step ?? Infinity) || RANK[a.kind] - RANK[b.kind]);
}
