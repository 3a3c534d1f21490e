/** Texts inside values. */

import { isDict, isList, type PyValue } from '../../benchmark/python/index.ts';

/** Every text, however deep; not the keys. */
export function textsIn(value: PyValue): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  if (isDict(value)) return Array.from(value.values()).flatMap(textsIn);
  return [];
}
