/** Evaluates a parsed expression in Python's order. */

import { typeError } from '../python/index.ts';
import { applyBinary, applyUnary } from './operators.ts';
import type { Expression } from './syntax.ts';
import { ELLIPSIS, EMPTY_TUPLE, nameOf, textOf, type Value } from './values.ts';

/** @throws PyError what Python raises */
export function evaluate(expression: Expression): Value {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'tuple':
      return EMPTY_TUPLE;
    case 'ellipsis':
      return ELLIPSIS;
    case 'unary':
      return applyUnary(expression.operator, evaluate(expression.operand));
    case 'binary':
      return applyBinary(expression.operator, evaluate(expression.left), evaluate(expression.right));
    case 'call':
      return call(expression);
  }
}

/** Nothing in an expression can be called, but its argument is evaluated, and unpacked, first. */
function call({ callee, argument }: Extract<Expression, { kind: 'call' }>): never {
  const called = evaluate(callee);
  if (argument !== null) {
    const value = evaluate(argument.value);
    const after = `${textOf(called)} argument after ${argument.unpack} must be`;
    if (argument.unpack === '**') throw typeError(`${after} a mapping, not ${nameOf(value)}`);
    if (argument.unpack === '*' && value !== EMPTY_TUPLE) {
      throw typeError(`${after} an iterable, not ${nameOf(value)}`);
    }
  }
  throw typeError(`'${nameOf(called)}' object is not callable`);
}
