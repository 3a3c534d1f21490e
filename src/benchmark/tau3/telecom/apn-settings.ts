/** APN settings as a user's call gives them, checked as pydantic checks the reference's model. */

import { PyError, PyFloat, typeName, type PyDict, type PyValue } from '../../python/index.ts';
import { formatInput } from '../model-errors.ts';
import { APN, record } from './data.ts';

/** An error of a value: pydantic's name of the error and its sentence. */
interface Refusal {
  readonly type: string;
  readonly message: string;
}

type Check = (value: PyValue) => { readonly value: PyValue } | Refusal;

const text: Check = (value) =>
  typeof value === 'string' ? { value } : { type: 'string_type', message: 'Input should be a valid string' };

const TRUE = ['1', 'on', 't', 'true', 'y', 'yes'] as const;
const FALSE = ['0', 'off', 'f', 'false', 'n', 'no'] as const;

const bool: Check = (value) => {
  if (typeof value === 'boolean') return { value };
  const word = typeof value === 'string' ? value.toLowerCase() : smallWholeNumber(value)?.toString();
  if (TRUE.some((known) => known === word)) return { value: true };
  if (FALSE.some((known) => known === word)) return { value: false };
  return word === undefined
    ? { type: 'bool_type', message: 'Input should be a valid boolean' }
    : { type: 'bool_parsing', message: 'Input should be a valid boolean, unable to interpret input' };
};

const MAX_INT64 = 2n ** 63n;

/** A whole number of 64 bits: to pydantic, larger ones are none where it expects something else. */
function smallWholeNumber(value: PyValue): bigint | undefined {
  if (typeof value === 'bigint') return -MAX_INT64 <= value && value < MAX_INT64 ? value : undefined;
  if (!(value instanceof PyFloat) || !Number.isInteger(value.value)) return undefined;
  const int = BigInt(value.value);
  return -MAX_INT64 < int && int < MAX_INT64 ? int : undefined;
}

const integer: Check = (value) => {
  if (typeof value === 'boolean') return { value: value ? 1n : 0n };
  if (typeof value === 'bigint') return { value };
  if (typeof value === 'string') return integerOf(value);
  if (value instanceof PyFloat) return integerOfFloat(value);
  return { type: 'int_type', message: 'Input should be a valid integer' };
};

function integerOfFloat(value: PyFloat): ReturnType<Check> {
  if (!Number.isFinite(value.value)) return { type: 'finite_number', message: 'Input should be a finite number' };
  if (!Number.isInteger(value.value)) {
    return { type: 'int_from_float', message: 'Input should be a valid integer, got a number with a fractional part' };
  }
  const int = smallWholeNumber(value);
  return int === undefined ? TOO_LARGE : { value: int };
}

const TOO_LARGE: Refusal = {
  type: 'int_parsing_size',
  message: 'Unable to parse input string as an integer, exceeded maximum size',
};

/** Longer numbers are refused before they are read. */
const MAX_DIGITS = 4300;
/** White space as Rust has it. Digits may be grouped by underscores, and have zeros after a point. */
const INTEGER = /^[\s\x85]*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?[\s\x85]*$/;

function integerOf(value: string): ReturnType<Check> {
  const [, sign = '', grouped] = (value.includes('\ufeff') ? null : INTEGER.exec(value)) ?? [];
  if (grouped === undefined) {
    return { type: 'int_parsing', message: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  const digits = grouped.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  return digits.length > MAX_DIGITS ? TOO_LARGE : { value: BigInt(sign === '-' ? `-${digits}` : digits) };
}

const name: Check = (value) =>
  value === 'internet' || value === 'broken'
    ? { value }
    : { type: 'enum', message: "Input should be 'internet' or 'broken'" };

const optional =
  (check: Check): Check =>
  (value) =>
    value === null ? { value } : check(value);

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['apn_name', name],
  ['reset_at_reboot', bool],
  ['mms_apn', optional(text)],
  ['mmsc_url', optional(text)],
  ['mms_proxy', optional(text)],
  ['mms_port', optional(integer)],
]);

/**
 * `APNSettings(**settings)`: fields that are left out have their default.
 * @throws PyError ValidationError that names all that is wrong
 */
export function readApnSettings(settings: PyDict): PyDict {
  const read = new Map<string, PyValue>();
  const errors: string[] = [];
  for (const [field, check] of CHECKS) {
    const value = settings.get(field);
    if (value === undefined) continue;
    const checked = check(value);
    if ('value' in checked) read.set(field, checked.value);
    else errors.push(errorText(field, checked, value));
  }
  for (const [field, value] of settings) {
    if (CHECKS.has(field)) continue;
    errors.push(errorText(field, { type: 'extra_forbidden', message: 'Extra inputs are not permitted' }, value));
  }
  if (errors.length === 0) return record(read, APN);
  const count = `${String(errors.length)} validation error${errors.length === 1 ? '' : 's'}`;
  throw new PyError('ValidationError', `${count} for APNSettings\n${errors.join('\n')}`);
}

function errorText(field: string, { type, message }: Refusal, value: PyValue): string {
  return (
    `${field}\n  ${message} [type=${type}, input_value=${formatInput(value)}, input_type=${typeName(value)}]\n` +
    `    For further information visit https://errors.pydantic.dev/2.14/v/${type}`
  );
}
