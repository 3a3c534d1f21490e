/** Faults, and the values and calls in their sentences. */

import type { Fault, FaultKind, FaultType } from '../types.ts';
import { dumpJson, type PyValue } from '../../benchmark/python/index.ts';
import type { Action } from '../../benchmark/index.ts';

export type FaultParts = Pick<Fault, 'kind' | 'step' | 'sentence'> &
  Partial<Pick<Fault, 'tool' | 'argument' | 'expected' | 'given'>>;

/** Completes a fault with its type and nulls. */
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

/** tau-bench's fault type of each kind; docs/attribution.md gives the reasons. */
const FAULT_TYPE_OF: Readonly<Record<FaultKind, FaultType | null>> = {
  missing_write: 'goal_partially_completed',
  extra_write: 'took_unintended_action',
  wrong_tool: 'called_wrong_tool',
  wrong_argument: 'used_wrong_tool_argument',
  wrong_order: 'other',
  missing_output: 'goal_partially_completed',
  said_not_done: 'goal_partially_completed',
  transferred_early: 'goal_partially_completed',
  out_of_steps: 'goal_partially_completed',
  number_spelling: 'used_wrong_tool_argument',
  unreadable_call: 'other',
  infrastructure: null,
  other: 'other',
};

/** More of a value than this does not help to tell it from another. */
const MAX_CHARS = 80;

/** @param json a value; null: there is none */
export function shown(json: string | null): string {
  return json === null ? 'nothing' : short(json);
}

export function short(text: string): string {
  const chars = Array.from(text);
  return chars.length <= MAX_CHARS ? text : `${chars.slice(0, MAX_CHARS - 1).join('')}…`;
}

/** `cancel_order (order_id "#W1")`: with the arguments that say which record is meant. */
export function namedCall({ name, kwargs }: Action, keys: ReadonlyMap<string, string>): string {
  const named = keys.size > 0 ? [...keys] : [...kwargs].slice(0, 1);
  if (named.length === 0) return name;
  return `${name} (${named.map(([key, value]) => `${key} ${short(dumpJson(value))}`).join(', ')})`;
}

/** `{"name": …, "kwargs": …}` */
export function callJson({ name, kwargs }: Action): string {
  return dumpJson({ name, kwargs });
}

export function jsonOrNull(value: PyValue | undefined): string | null {
  return value === undefined ? null : dumpJson(value);
}

/** `1 change`, `2 changes` */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
