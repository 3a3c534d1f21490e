/** Digests of plain data: equal values have equal digests, however their fields are ordered. */

import { createHash } from 'node:crypto';

/** SHA-256 over {@link canonicalJson}, in hex. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** JSON without white space, the fields of objects sorted; what is `undefined` is left out, as in any JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (isObject(item) ? sorted(item) : item));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Names that are whole numbers come first in any JavaScript object, which is an order as good as another.
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
