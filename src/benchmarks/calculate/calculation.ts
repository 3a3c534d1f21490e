/** Calculates an expression as the benchmarks' tool `calculate` does. */

import { formatFloat, intToFloat, iterate, roundFloat2, typeError, typeName, type PyValue } from '../python/index.ts';
import { evaluateExpression, formatTypeName, type CalculatedValue } from './evaluate.ts';
import { parseExpression } from './syntax.ts';

/**
 * Returns the result of an expression with two decimals.
 * @returns undefined for an expression with characters that the tool does not allow
 * @throws PyError if Python raises an exception
 */
export function calculation(expression: PyValue): string | undefined {
  for (const char of iterate(expression)) {
    if (typeof char !== 'string') {
      throw typeError(`'in <string>' requires string as left operand, not ${typeName(char)}`);
    }
    // Python checks an element, not a character: in a list, it may be any sequence of the allowed ones.
    if (!'0123456789+-*/(). '.includes(char)) return undefined;
  }
  if (typeof expression !== 'string') throw typeError('eval() arg 1 must be a string, bytes or code object');
  return formatFloat(roundFloat2(toFloat(evaluateExpression(parseExpression(expression)))));
}

/** `float(value)`. */
function toFloat(value: CalculatedValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return intToFloat(value);
  throw typeError(`float() argument must be a string or a real number, not '${formatTypeName(value)}'`);
}
