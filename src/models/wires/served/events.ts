/** Server-sent events of a complete reply. */

import { isObject, type Fields } from '../../../io/index.ts';

/** Returns the objects of a list; none for another value. */
export function listObjects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** Writes an event with the name of its data's type. */
export function namedEvent(data: Fields & { readonly type: string }): string {
  return `event: ${data.type}\n${dataEvent(data)}`;
}
