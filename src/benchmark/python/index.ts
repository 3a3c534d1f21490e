export { PyError, keyError, typeError } from './error.ts';
export { formatFloat, roundFloat2 } from './float.ts';
export { lastTwo, parseInteger } from './integers.ts';
export { JsonError, dumpJson, parseJson, tooManyDigits, type Dumpable } from './json.ts';
export { abs, add, intToFloat, multiply, negate, round2, subtract } from './numbers.ts';
export {
  containsText,
  count,
  equals,
  first,
  getDict,
  getItem,
  getKey,
  getList,
  hasKey,
  isGreaterText,
  isLess,
  iterate,
  len,
  lowerOf,
  requireHashable,
  sorted,
  truthy,
  typeName,
  withItem,
} from './objects.ts';
export { hashableRepr, quote, repr, spellingFreeRepr, str } from './repr.ts';
export { compareText, lower, strip } from './text.ts';
export { PyFloat, isDict, isList, type PyDict, type PyList, type PyValue } from './value.ts';
