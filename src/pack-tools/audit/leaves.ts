/** The texts and numbers inside a value, with the way to them. */

import { PyFloat, formatFloat, isDict, isList, type PyValue } from '../../benchmark/python/index.ts';

export type Path = readonly (string | number)[];

export interface TextLeaf {
  readonly path: Path;
  readonly text: string;
}

export interface NumberLeaf {
  readonly path: Path;
  readonly value: number;
}

/** Every string in the value; the keys of objects are not among them. */
export function* textLeaves(value: PyValue, path: Path = []): Generator<TextLeaf> {
  if (typeof value === 'string') yield { path, text: value };
  else if (isList(value)) for (const [at, item] of value.entries()) yield* textLeaves(item, [...path, at]);
  else if (isDict(value)) for (const [key, item] of value) yield* textLeaves(item, [...path, key]);
}

/** Every finite number in the value. */
export function* numberLeaves(value: PyValue, path: Path = []): Generator<NumberLeaf> {
  if (typeof value === 'bigint' || value instanceof PyFloat) {
    const number = typeof value === 'bigint' ? Number(value) : value.value;
    if (Number.isFinite(number)) yield { path, value: number };
  } else if (isList(value)) for (const [at, item] of value.entries()) yield* numberLeaves(item, [...path, at]);
  else if (isDict(value)) for (const [key, item] of value) yield* numberLeaves(item, [...path, key]);
}

/** Every key and every scalar as it is printed: what somebody can read who sees the value. */
export function* readableTexts(value: PyValue): Generator<string> {
  if (isList(value)) for (const item of value) yield* readableTexts(item);
  else if (isDict(value)) {
    for (const [key, item] of value) {
      yield key;
      yield* readableTexts(item);
    }
  } else yield* readableValues(value);
}

/** Every text and number as it is printed, without the keys. */
export function* readableValues(value: PyValue): Generator<string> {
  if (isList(value)) for (const item of value) yield* readableValues(item);
  else if (isDict(value)) for (const item of value.values()) yield* readableValues(item);
  else if (typeof value === 'string') yield value;
  else if (typeof value === 'bigint') yield value.toString();
  else if (value instanceof PyFloat) yield formatFloat(value.value);
}

/** `items[2].price`. */
export function pathText(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${String(step)}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** A text short enough for a line of evidence. */
export function clip(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
