/** Values of an expression's parts, and Python's names for their types. */

import { formatFloat, typeError, type PyError } from '../python/index.ts';
import { Complex } from './complex.ts';

/** The only tuple there can be: an expression has no commas. */
export const EMPTY_TUPLE = Symbol('()');
export const ELLIPSIS = Symbol('Ellipsis');

/** A bigint is an int, a number a float. */
export type Value = bigint | number | Complex | typeof EMPTY_TUPLE | typeof ELLIPSIS;

/** `type(value).__name__`. */
export function nameOf(value: Value): string {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (value instanceof Complex) return 'complex';
  return value === EMPTY_TUPLE ? 'tuple' : 'ellipsis';
}

/** `str(value)`. */
export function textOf(value: Value): string {
  if (typeof value === 'number') return formatFloat(value);
  if (value === EMPTY_TUPLE) return '()';
  return value === ELLIPSIS ? 'Ellipsis' : value.toString();
}

export function unsupported(operator: string, left: Value, right: Value): PyError {
  return typeError(`unsupported operand type(s) for ${operator}: '${nameOf(left)}' and '${nameOf(right)}'`);
}
