/** JSON as prompts show it: numbers in Python's spelling, letters of any language unescaped. */

import { compareText, dumpJson, isDict, isList, type PyValue } from '../../../benchmark/python/index.ts';

interface ReadableOptions {
  /** Order keys by code point, at every level: equal values are then equal texts. @default false: as they came */
  readonly sortKeys?: boolean;
}

/** As `dumpJson`, which escapes all but ASCII; control characters stay escaped. */
export function readableJson(value: PyValue, { sortKeys = false }: ReadableOptions = {}): string {
  return dumpJson(sortKeys ? sorted(value) : value).replace(ESCAPE, (escape, hex: string | undefined) => {
    const code = hex === undefined ? 0 : parseInt(hex, 16);
    return code < 0xa0 ? escape : String.fromCharCode(code);
  });
}

/** A whole escape at a time: the second half of an escaped backslash starts none. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/g;

function sorted(value: PyValue): PyValue {
  if (isList(value)) return value.map(sorted);
  if (!isDict(value)) return value;
  const entries = Array.from(value, ([key, item]) => [key, sorted(item)] as const);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}
