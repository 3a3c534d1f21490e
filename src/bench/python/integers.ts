/** `int()` of texts, and the slice that the benchmark takes before it. */

import { PyError, typeError } from './error.ts';
import { typeName } from './objects.ts';
import { quote } from './repr.ts';
import { strip } from './text.ts';
import { isDict, isList, type PyValue } from './value.ts';

/** Longer texts are refused by Python before they are read. */
const MAX_DIGITS = 4300;

/** `int(value)` of a text. @throws PyError ValueError for a text that is no whole number, TypeError for a list */
export function parseInteger(value: PyValue): bigint {
  if (typeof value !== 'string') {
    throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
  }
  const [, sign = '', digits = ''] = /^([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)$/u.exec(strip(value)) ?? [];
  if (digits === '') throw new PyError('ValueError', `invalid literal for int() with base 10: ${quote(value)}`);
  const plain = Array.from(digits.replaceAll('_', ''), digitOf).join('');
  if (plain.length > MAX_DIGITS) {
    throw new PyError(
      'ValueError',
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion: value has ${plain.length} digits; ` +
        'use sys.set_int_max_str_digits() to increase the limit',
    );
  }
  return BigInt(`${sign === '-' ? '-' : ''}${plain}`);
}

/** Decimal digits of any script come in runs of ten that start at a multiple of ten after some offset. */
function digitOf(char: string): string {
  let code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return char;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) {
    code -= 1;
    value += 1;
  }
  return String(value);
}

/** `value[-2:]`. */
export function lastTwo(value: PyValue): PyValue {
  if (typeof value === 'string') return Array.from(value).slice(-2).join('');
  if (isList(value)) return value.slice(-2);
  if (isDict(value)) throw typeError("unhashable type: 'slice'");
  throw typeError(`'${typeName(value)}' object is not subscriptable`);
}
