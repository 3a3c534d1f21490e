/** `repr` and `str` of Python values, and the text that the benchmark's data hash is taken over. */

import { formatFloat } from './float.ts';
import { isPrintable } from './printable.ts';
import { compareText } from './text.ts';
import { PyFloat, isDict, isList, type PyDict, type PyValue } from './value.ts';

/** `repr(value)`. */
export function repr(value: PyValue): string {
  if (isList(value)) return `[${value.map(repr).join(', ')}]`;
  if (!isDict(value)) return scalarRepr(value);
  return `{${Array.from(value, ([key, item]) => `${quote(key)}: ${repr(item)}`).join(', ')}}`;
}

/** `str(value)`: a string's own text, else the repr. */
export function str(value: PyValue): string {
  return typeof value === 'string' ? value : repr(value);
}

function scalarRepr(value: Exclude<PyValue, PyDict | readonly PyValue[]>): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof PyFloat) return formatFloat(value.value);
  return value ? 'True' : 'False';
}

/** `repr` of a string: single quotes, double ones when that saves escaping. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = mark;
  // A string iterates by code point; a lone surrogate comes alone.
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === mark || char === '\\') result += `\\${char}`;
    else if (isPrintable(code)) result += char;
    else result += escapeCode(code);
  }
  return result + mark;
}

const PLAIN = /^[ -&(-[\]-~]*$/;

function escapeCode(code: number): string {
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return '\\t';
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/**
 * `repr` of the value made hashable: an object becomes a tuple of (key, value) pairs sorted by key, an array a
 * tuple, recursively. Two states of the data are equal to the benchmark when these texts are.
 */
export function hashableRepr(value: PyValue): string {
  return renderHashable(value, scalarRepr);
}

/** As {@link hashableRepr}, but whole floats are written as ints, so that `131` and `131.0` give one text. */
export function spellingFreeRepr(value: PyValue): string {
  return renderHashable(value, (scalar) =>
    scalar instanceof PyFloat && Number.isInteger(scalar.value) ? BigInt(scalar.value).toString() : scalarRepr(scalar),
  );
}

type Scalar = Parameters<typeof scalarRepr>[0];

function renderHashable(value: PyValue, scalar: (value: Scalar) => string): string {
  if (isList(value)) return tuple(value.map((item) => renderHashable(item, scalar)));
  if (!isDict(value)) return scalar(value);
  const keys = Array.from(value.keys()).sort(compareText);
  return tuple(keys.map((key) => `(${quote(key)}, ${renderHashable(value.get(key) ?? null, scalar)})`));
}

/** A tuple of elements that are rendered already. */
function tuple(parts: readonly string[]): string {
  return parts.length === 1 ? `(${String(parts[0])},)` : `(${parts.join(', ')})`;
}
