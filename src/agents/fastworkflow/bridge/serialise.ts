/**
 * From a plan's parameters to an action's arguments.
 *
 * Parameters may be Python values already, plain objects, what a schema library parsed, maps, sets and dates. The rules
 * are those of `JSON.stringify` wherever it has one; what it would drop or blur without a word (functions, symbols,
 * NaN, cycles) is refused, because an argument that silently is not what was planned changes a score.
 */

import { PyFloat, type PyDict, type PyValue } from '../../../benchmark/python/index.ts';
import { AgentError } from '../../port.ts';

/** Python reads neither deeper JSON nor longer ints, and so would no environment. */
const MAX_DEPTH = 900;
const MAX_INT_DIGITS = 4300;

/**
 * Whole numbers become ints and others floats, as in their JSON text; undefined is dropped from objects and null in
 * lists.
 * @throws AgentError `invalid_action`, naming the place: `items[2].price is NaN`
 */
export function serialiseParameters(parameters: unknown): PyDict {
  const value = serialise(parameters, { path: 'parameters', key: '', depth: 0, above: new Set() });
  if (value instanceof Map) return value as PyDict;
  throw invalid('parameters', 'must be an object with a field for each parameter');
}

interface Place {
  /** As a person would write it: `items[2].price`. */
  readonly path: string;
  /** The last part of the path, which `toJSON` is given. */
  readonly key: string;
  readonly depth: number;
  /** The objects that the place is in. */
  readonly above: ReadonlySet<object>;
}

/** @returns undefined for undefined, which only the holder of the place can drop */
function serialise(value: unknown, place: Place): PyValue | undefined {
  switch (typeof value) {
    case 'undefined':
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return serialiseInt(value, place);
    case 'number':
      return serialiseNumber(value, place);
    case 'function':
    case 'symbol':
      throw invalid(place.path, `is a ${typeof value}`);
    case 'object':
      return value === null ? null : serialiseObject(value, place);
  }
}

function serialiseInt(value: bigint, { path }: Place): bigint {
  if (value.toString().replace('-', '').length <= MAX_INT_DIGITS) return value;
  throw invalid(path, `has more than ${MAX_INT_DIGITS} digits`);
}

function serialiseNumber(value: number, { path }: Place): PyValue {
  if (!Number.isFinite(value)) throw invalid(path, `is ${value}`);
  const text = JSON.stringify(value);
  // 1e21 has an exponent in JSON, so Python reads a float.
  return /^-?\d+$/.test(text) ? BigInt(text) : new PyFloat(value);
}

function serialiseObject(value: object, place: Place): PyValue | undefined {
  const { path, depth, above } = place;
  if (value instanceof PyFloat) {
    if (Number.isFinite(value.value)) return value;
    throw invalid(path, `is ${value.value}`);
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw invalid(path, 'is an invalid date');
    return value.toISOString();
  }
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return serialise(value.valueOf(), place);
  }
  if (above.has(value)) throw invalid(path, 'contains itself');
  if (depth >= MAX_DEPTH) throw invalid(path, `is nested deeper than ${MAX_DEPTH} levels`);
  const inside: Place = { ...place, depth: depth + 1, above: new Set(above).add(value) };
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const plain = toJson(value as HasToJson, place);
    if (plain !== value) return serialise(plain, inside);
  }
  if (Array.isArray(value) || value instanceof Set) return serialiseList(Array.from<unknown>(value), inside);
  if (value instanceof Promise) throw invalid(path, 'is a promise that nobody waited for');
  return serialiseFields(value instanceof Map ? value : Object.entries(value), inside);
}

interface HasToJson {
  toJSON(key: string): unknown;
}

function toJson(value: HasToJson, { path, key }: Place): unknown {
  try {
    return value.toJSON(key);
  } catch (error) {
    throw invalid(path, `cannot be written as JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function serialiseList(items: readonly unknown[], place: Place): PyValue {
  return items.map((item, i) => serialise(item, { ...place, path: `${place.path}[${i}]`, key: String(i) }) ?? null);
}

function serialiseFields(entries: Iterable<readonly [unknown, unknown]>, place: Place): PyDict {
  const dict = new Map<string, PyValue>();
  for (const [key, item] of entries) {
    if (typeof key !== 'string') throw invalid(place.path, `has a key that is a ${typeof key}, not a text`);
    const value = serialise(item, { ...place, path: fieldPath(place.path, key), key });
    if (value !== undefined) dict.set(key, value);
  }
  return dict;
}

function fieldPath(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function invalid(path: string, problem: string): AgentError {
  return new AgentError('invalid_action', `the planned ${path} cannot become an argument: it ${problem}`);
}
