/** `calculate`: Python arithmetic on numbers, rounded to two places. */

import { evaluate } from '../calculate/evaluate.ts';
import { parseExpression } from '../calculate/syntax.ts';
import { nameOf, type Value } from '../calculate/values.ts';
import { formatFloat, intToFloat, iterate, roundFloat2, typeError, typeName } from '../python/index.ts';
import { defineTool } from '../tool.ts';

export const calculate = defineTool('calculate', ['expression'], (_store, { expression }) => {
  for (const char of iterate(expression)) {
    if (typeof char !== 'string') {
      throw typeError(`'in <string>' requires string as left operand, not ${typeName(char)}`);
    }
    // Python looks for the element, not for a character: in a list it may be any run of the allowed ones.
    if (!'0123456789+-*/(). '.includes(char)) return 'Error: invalid characters in expression';
  }
  if (typeof expression !== 'string') throw typeError('eval() arg 1 must be a string, bytes or code object');
  return formatFloat(roundFloat2(toFloat(evaluate(parseExpression(expression)))));
});

/** `float(value)`. */
function toFloat(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return intToFloat(value);
  throw typeError(`float() argument must be a string or a real number, not '${nameOf(value)}'`);
}
