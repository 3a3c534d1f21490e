/** Values and calls as sentences show them. */

import { dumpJson, type PyValue } from '../../benchmark/python/index.ts';
import type { Action } from '../../benchmark/index.ts';

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
