/** Evaluates a parsed expression in Python's order, with Python's operators for all values of an expression. */

import { typeError, PyError, intToFloat, formatFloat } from '../python/index.ts';
import type { Expression, BinaryOperator } from './syntax.ts';
import {
  addComplex,
  ComplexNumber,
  divideComplex,
  multiplyComplex,
  powerComplex,
  subtractComplex,
  divideInts,
  floorDivideInts,
  powerOfInt,
  requireSmall,
} from './arithmetic.ts';
import { powerOfFloat } from './powers.ts';

/** @throws PyError for Python's exception */
export function evaluateExpression(expression: Expression): CalculatedValue {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'tuple':
      return EMPTY_TUPLE;
    case 'ellipsis':
      return ELLIPSIS;
    case 'unary':
      return applyUnary(expression.operator, evaluateExpression(expression.operand));
    case 'binary':
      return applyBinary(
        expression.operator,
        evaluateExpression(expression.left),
        evaluateExpression(expression.right),
      );
    case 'call':
      return call(expression);
  }
}

/** Evaluates and unpacks the argument of a call, then fails, because nothing in an expression can be called. */
function call({ callee, argument }: Extract<Expression, { kind: 'call' }>): never {
  const called = evaluateExpression(callee);
  if (argument !== null) {
    const value = evaluateExpression(argument.value);
    const after = `${toStr(called)} argument after ${argument.unpack} must be`;
    if (argument.unpack === '**') throw typeError(`${after} a mapping, not ${formatTypeName(value)}`);
    if (argument.unpack === '*' && value !== EMPTY_TUPLE) {
      throw typeError(`${after} an iterable, not ${formatTypeName(value)}`);
    }
  }
  throw typeError(`'${formatTypeName(called)}' object is not callable`);
}

/** An arithmetic operator of Python for each type of number. */
interface Arithmetic {
  readonly ints: (a: bigint, b: bigint) => CalculatedValue;
  readonly floats: (a: number, b: number) => CalculatedValue;
  /** Applies the operator to complex numbers; absent if they lack it. */
  readonly complexes?: (a: ComplexNumber, b: ComplexNumber) => CalculatedValue;
}

const ARITHMETIC: Readonly<Record<BinaryOperator, Arithmetic>> = {
  '+': { ints: (a, b) => a + b, floats: (a, b) => a + b, complexes: addComplex },
  '-': { ints: (a, b) => a - b, floats: (a, b) => a - b, complexes: subtractComplex },
  '*': { ints: (a, b) => requireSmall(a * b), floats: (a, b) => a * b, complexes: multiplyComplex },
  '/': { ints: divideInts, floats: divideFloats, complexes: divideComplex },
  '//': { ints: floorDivideInts, floats: floorDivideFloats },
  '**': {
    ints: (a, b) => (b < 0n ? powerOfFloats(intToFloat(a), intToFloat(b)) : powerOfInt(a, b)),
    floats: powerOfFloats,
    complexes: powerComplex,
  },
};

/** `left operator right`. */
function applyBinary(operator: BinaryOperator, left: CalculatedValue, right: CalculatedValue): CalculatedValue {
  const { ints, floats, complexes } = ARITHMETIC[operator];
  if (typeof left === 'bigint' && typeof right === 'bigint') return ints(left, right);
  if (typeof left === 'symbol' || typeof right === 'symbol') return applyToOthers(operator, left, right);
  if (left instanceof ComplexNumber || right instanceof ComplexNumber) {
    if (complexes === undefined) throw unsupportedError(operator, left, right);
    return complexes(toComplex(left), toComplex(right));
  }
  return floats(toFloat(left), toFloat(right));
}

/** `operator operand`. */
function applyUnary(operator: '+' | '-', operand: CalculatedValue): CalculatedValue {
  if (typeof operand === 'symbol') {
    throw typeError(`bad operand type for unary ${operator}: '${formatTypeName(operand)}'`);
  }
  if (operator === '+') return operand;
  return operand instanceof ComplexNumber ? new ComplexNumber(-operand.re, -operand.im) : -operand;
}

/** Applies an operator to other values than numbers: tuples can be joined and repeated, everything else is an error. */
function applyToOthers(operator: BinaryOperator, left: CalculatedValue, right: CalculatedValue): CalculatedValue {
  if (operator === '+' && left === EMPTY_TUPLE) {
    if (right === EMPTY_TUPLE) return EMPTY_TUPLE;
    throw typeError(`can only concatenate tuple (not "${formatTypeName(right)}") to tuple`);
  }
  if (operator === '*' && (left === EMPTY_TUPLE || right === EMPTY_TUPLE)) {
    const times = left === EMPTY_TUPLE ? right : left;
    if (typeof times !== 'bigint') {
      throw typeError(`can't multiply sequence by non-int of type '${formatTypeName(times)}'`);
    }
    if (BigInt.asIntN(64, times) === times) return EMPTY_TUPLE;
    throw new PyError('OverflowError', "cannot fit 'int' into an index-sized integer");
  }
  throw unsupportedError(operator === '**' ? '** or pow()' : operator, left, right);
}

function toFloat(value: bigint | number): number {
  return typeof value === 'bigint' ? intToFloat(value) : value;
}

function toComplex(value: bigint | number | ComplexNumber): ComplexNumber {
  return value instanceof ComplexNumber ? value : new ComplexNumber(toFloat(value), 0);
}

function divideFloats(a: number, b: number): number {
  if (b === 0) throw new PyError('ZeroDivisionError', 'float division by zero');
  return a / b;
}

/** CPython's floor division, which uses the remainder, so that rounding cannot step over a whole number. */
function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new PyError('ZeroDivisionError', 'float floor division by zero');
  const remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder !== 0 && b < 0 !== remainder < 0) quotient -= 1;
  if (quotient === 0) return Object.is(a / b, -0) || a / b < 0 ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function powerOfFloats(base: number, exponent: number): CalculatedValue {
  if (base === 0 && exponent < 0) {
    throw new PyError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  }
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    return powerComplex(new ComplexNumber(base, 0), new ComplexNumber(exponent, 0));
  }
  return powerOfFloat(base, exponent);
}

/** The only possible tuple, because expressions have no commas. */
const EMPTY_TUPLE = Symbol('()');
const ELLIPSIS = Symbol('Ellipsis');

/** A bigint is an int, a number a float. */
export type CalculatedValue = bigint | number | ComplexNumber | typeof EMPTY_TUPLE | typeof ELLIPSIS;

/** `type(value).__name__`. */
export function formatTypeName(value: CalculatedValue): string {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (value instanceof ComplexNumber) return 'complex';
  return value === EMPTY_TUPLE ? 'tuple' : 'ellipsis';
}

/** `str(value)`. */
function toStr(value: CalculatedValue): string {
  if (typeof value === 'number') return formatFloat(value);
  if (value === EMPTY_TUPLE) return '()';
  return value === ELLIPSIS ? 'Ellipsis' : value.toString();
}

function unsupportedError(operator: string, left: CalculatedValue, right: CalculatedValue): PyError {
  return typeError(
    `unsupported operand type(s) for ${operator}: '${formatTypeName(left)}' and '${formatTypeName(right)}'`,
  );
}
