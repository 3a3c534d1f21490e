/**
 * Reads and validates values as pydantic 2.14 does, with its error texts. A model in a record is its dump: fields in
 * the model's order, with null for missing values.
 */

import { formatInput } from './model-errors.ts';
import { PyError, PyFloat, isDict, isList, typeName, type PyDict, type PyValue } from '../python/index.ts';

/** A problem of a value: its place, and pydantic's name and sentence. */
interface Problem {
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly message: string;
  readonly input: PyValue;
}

/** Reads a value; adds a problem for an invalid one, and then returns an arbitrary value. */
export type Read = (value: PyValue, path: Problem['path'], problems: Problem[]) => PyValue;

interface Field {
  readonly read: Read;
  /** Value of a missing field. @default the field is required */
  readonly default?: PyValue;
}

type ModelFields = Readonly<Record<string, Read | Field>>;

const reportProblem = (
  problems: Problem[],
  path: Problem['path'],
  type: string,
  message: string,
  input: PyValue,
): PyValue => {
  problems.push({ path, type, message, input });
  return null;
};

export const text: Read = (value, path, problems) =>
  typeof value === 'string'
    ? value
    : reportProblem(problems, path, 'string_type', 'Input should be a valid string', value);

const TRUE = ['1', 'on', 't', 'true', 'y', 'yes'] as const;
const FALSE = ['0', 'off', 'f', 'false', 'n', 'no'] as const;

export const boolean: Read = (value, path, problems) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : smallInteger(value)?.toString();
  if (TRUE.some((known) => known === word)) return true;
  if (FALSE.some((known) => known === word)) return false;
  return word === undefined
    ? reportProblem(problems, path, 'bool_type', 'Input should be a valid boolean', value)
    : reportProblem(
        problems,
        path,
        'bool_parsing',
        'Input should be a valid boolean, unable to interpret input',
        value,
      );
};

const MAX_INT64 = 2n ** 63n;

/** Reads an integer of 64 bits, also from a float. As in pydantic, larger integers must not be floats. */
function smallInteger(value: PyValue): bigint | undefined {
  if (typeof value === 'bigint') return -MAX_INT64 <= value && value < MAX_INT64 ? value : undefined;
  if (!(value instanceof PyFloat) || !Number.isInteger(value.value)) return undefined;
  const int = BigInt(value.value);
  return -MAX_INT64 < int && int < MAX_INT64 ? int : undefined;
}

/** Most digits of a number, as in pydantic. */
const MAX_DIGITS = 4300;
/**
 * Matches an integer in a text as pydantic does: white space as in Rust, digits grouped by underscores, zeros after a
 * point.
 */
const INTEGER = /^[\s\x85]*([+-]?)(\d+(?:_\d+)*)(?:\.0+)?[\s\x85]*$/;
const NUMBER =
  /^[+-]?(?:(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?|inf|infinity|nan)$/i;

export const integer: Read = (value, path, problems) => {
  const refused = (type: string, message: string) => reportProblem(problems, path, type, message, value);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const tooLarge = 'Unable to parse input string as an integer, exceeded maximum size';
  if (value instanceof PyFloat) {
    if (!Number.isFinite(value.value)) return refused('finite_number', 'Input should be a finite number');
    if (!Number.isInteger(value.value)) {
      return refused('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
    }
    return smallInteger(value) ?? refused('int_parsing_size', tooLarge);
  }
  if (typeof value !== 'string') return refused('int_type', 'Input should be a valid integer');
  const [, sign = '', grouped] = (value.includes('\ufeff') ? null : INTEGER.exec(value)) ?? [];
  if (grouped === undefined) {
    return refused('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
  }
  const digits = grouped.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  if (digits.length > MAX_DIGITS) return refused('int_parsing_size', tooLarge);
  return BigInt(sign === '-' ? `-${digits}` : digits);
};

export const float: Read = (value, path, problems) => {
  const refused = (type: string, message: string) => reportProblem(problems, path, type, message, value);
  if (value instanceof PyFloat) return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return new PyFloat(Number(value));
  if (typeof value !== 'string') return refused('float_type', 'Input should be a valid number');
  const number = value.trim();
  if (!NUMBER.test(number)) {
    return refused('float_parsing', 'Input should be a valid number, unable to parse string as a number');
  }
  const lower = number.toLowerCase();
  if (lower.includes('inf')) return new PyFloat(lower.startsWith('-') ? -Infinity : Infinity);
  return new PyFloat(lower.includes('nan') ? NaN : Number(lower.replaceAll('_', '')));
};

const oneWord =
  (type: string) =>
  (...allowed: readonly string[]): Read => {
    const quoted = allowed.map((word) => `'${word}'`);
    const listed = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(', ')} or ${String(quoted.at(-1))}`;
    return (value, path, problems) =>
      typeof value === 'string' && allowed.includes(value)
        ? value
        : reportProblem(problems, path, type, `Input should be ${String(listed)}`, value);
  };

/** Reads one of several texts, declared as a `Literal`. */
export const literal = oneWord('literal_error');
/** Reads one of several texts, declared as an `Enum`. */
export const enumeration = oneWord('enum');

export function readEach(read: Read): Read {
  return (value, path, problems) =>
    isList(value)
      ? value.map((item, at) => read(item, [...path, at], problems))
      : reportProblem(problems, path, 'list_type', 'Input should be a valid list', value);
}

export function readValues(read: Read): Read {
  return (value, path, problems) =>
    isDict(value)
      ? new Map(Array.from(value, ([key, item]) => [key, read(item, [...path, key], problems)]))
      : reportProblem(problems, path, 'dict_type', 'Input should be a valid dictionary', value);
}

/** Makes an optional field. @param value default, which is not checked */
export function withDefault(read: Read, value: PyValue): Field {
  return { read, default: value };
}

/** Makes a field that may be null or absent; an absent field becomes null. */
export function optional(read: Read): Field {
  return { read: (value, path, problems) => (value === null ? null : read(value, path, problems)), default: null };
}

/** Returns the first reading without a problem; otherwise reports the problems of the last one. */
export function readFirst(...reads: readonly Read[]): Read {
  return (value, path, problems) => {
    let last: Problem[] = [];
    for (const read of reads) {
      last = [];
      const result = read(value, path, last);
      if (last.length === 0) return result;
    }
    problems.push(...last);
    return null;
  };
}

interface ModelOptions {
  /** True if a further field is a problem; otherwise it is dropped. @default false */
  readonly isClosed?: boolean;
}

/** Reads a model in a field. */
export function model(name: string, fields: ModelFields, { isClosed = false }: ModelOptions = {}): Read {
  const list = Object.entries(fields).map(
    ([key, field]) => [key, typeof field === 'function' ? { read: field } : field] as const,
  );
  return (value, path, problems) => {
    if (!isDict(value)) {
      const message = `Input should be a valid dictionary or instance of ${name}`;
      return reportProblem(problems, path, 'model_type', message, value);
    }
    const dump = new Map<string, PyValue>();
    for (const [key, field] of list) {
      const given = value.get(key);
      if (given !== undefined) dump.set(key, field.read(given, [...path, key], problems));
      else if (field.default !== undefined) dump.set(key, field.default);
      else reportProblem(problems, [...path, key], 'missing', 'Field required', value);
    }
    for (const [key, given] of isClosed ? value : []) {
      if (Object.hasOwn(fields, key)) continue;
      reportProblem(problems, [...path, key], 'extra_forbidden', 'Extra inputs are not permitted', given);
    }
    return dump;
  };
}

/**
 * `Model(**values)`.
 * @throws PyError with the text of pydantic's ValidationError
 */
export function create(name: string, read: Read, values: PyValue): PyDict {
  const problems: Problem[] = [];
  const dump = read(values, [], problems);
  if (problems.length === 0 && isDict(dump)) return dump;
  const sentences = problems.map(
    ({ path, type, message, input }) =>
      `${path.map(String).join('.')}\n  ${message} [type=${type}, input_value=${formatInput(input)}, ` +
      `input_type=${typeName(input)}]\n    For further information visit https://errors.pydantic.dev/2.14/v/${type}`,
  );
  const count = `${String(problems.length)} validation error${problems.length === 1 ? '' : 's'}`;
  throw new PyError('ValidationError', `${count} for ${name}\n${sentences.join('\n')}`);
}
