/** Plain JSON: the allowed values of states and answers, their texts, and values by path. */

import { jsonPath } from '../json-path.ts';

const MOST_DEPTH = 200;
/** Longest JSON text of a state, in characters. */
const MOST_CHARS = 50_000_000;

/** A value that is not plain JSON; the message is a clause: `orders.O1.at is a Date`. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

/**
 * Writes a value as JSON. A field that is undefined is left out.
 * @param canonical true: keys are sorted, so that equal values have equal texts
 * @throws NotJsonError for a value that JSON would drop or change
 */
export function toJsonText(value: unknown, { canonical = false }: { readonly canonical?: boolean } = {}): string {
  const text = JSON.stringify(checkPlain(value, [], canonical));
  if (text.length > MOST_CHARS) throw new NotJsonError(`the value has more than ${MOST_CHARS} characters`);
  return text;
}

/** @param path of the value; the same list is used for all values */
function checkPlain(value: unknown, path: (string | number)[], canonical: boolean): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (path.length > MOST_DEPTH) throw new NotJsonError(`${jsonPath(path.slice(0, 4))} is too deep, or contains itself`);
  const checkAt = (at: string | number, inner: unknown) => {
    path.push(at);
    const copy = checkPlain(inner, path, canonical);
    path.pop();
    return copy;
  };
  if (Array.isArray(value)) return Array.from(value, (item, at) => checkAt(at, item));
  if (typeof value === 'object' && isPlain(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    if (canonical) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    // `__proto__` is an ordinary key here.
    const copy = Object.create(null) as Record<string, unknown>;
    for (const [key, inner] of entries) copy[key] = checkAt(key, inner);
    return copy;
  }
  throw new NotJsonError(`${path.length === 0 ? 'the value' : jsonPath(path)} is ${describeKind(value)}`);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}

function describeKind(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  return `an object of the class ${value.constructor.name}`;
}

/**
 * Finds a value by a path with points: keys of objects and positions of lists. A key may contain points.
 * @returns undefined if there is no such value
 */
export function stateValueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(fields, path)) return fields[path];
  for (let point = path.indexOf('.'); point >= 0; point = path.indexOf('.', point + 1)) {
    const key = path.slice(0, point);
    if (Object.hasOwn(fields, key)) return stateValueAt(fields[key], path.slice(point + 1));
  }
  return undefined;
}
