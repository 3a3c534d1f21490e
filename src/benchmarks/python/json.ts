/**
 * JSON as Python 3.11's `json` module reads and writes it with its defaults.
 *
 * Numbers keep their type (`131` and `131.0` differ to the benchmark), keys keep their order, and the error texts are
 * Python's, because an agent may see them.
 */

import { compareText, formatFloat } from './text.ts';
import { PyFloat, isDict, type PyDict, type PyList, type PyValue } from './value.ts';

/** Error of a text that is not JSON; the message is that of `json.JSONDecodeError`. */
export class JsonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonError';
  }
}

/** Deepest nesting, at about Python's own limit. It protects the stack from hostile text. */
const MAX_DEPTH = 990;
/**
 * The only NaN object. Python's decoder returns the same NaN object each time, and lists with the same object are
 * equal.
 */
const NOT_A_NUMBER = new PyFloat(NaN);
/** `sys.get_int_max_str_digits()`. */
export const MAX_INT_DIGITS = 4300;

/**
 * `json.loads(text)`. It accepts NaN and infinities, keeps lone surrogates, and keeps the last value of a repeated key
 * at its first position.
 * @throws JsonError with Python's text; positions count code points
 */
export function parseJson(text: string): PyValue {
  if (text.startsWith('\ufeff')) fail('Unexpected UTF-8 BOM (decode using utf-8-sig)', text, 0);
  return new Decoder(text).document();
}

/** Parses an object; null for other values, and for text that is not JSON. */
export function parseObject(text: string): PyDict | null {
  try {
    const value = parseJson(text);
    return isDict(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

class Decoder {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): PyValue {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) fail('Extra data', this.#text, this.#at);
    return value;
  }

  #value(): PyValue {
    switch (this.#text.charAt(this.#at)) {
      case '"':
        return this.#string();
      case '{':
        return this.#nested('object', () => this.#dict());
      case '[':
        return this.#nested('array', () => this.#list());
      case 'n':
        if (this.#word('null')) return null;
        break;
      case 't':
        if (this.#word('true')) return true;
        break;
      case 'f':
        if (this.#word('false')) return false;
        break;
      case 'N':
        if (this.#word('NaN')) return NOT_A_NUMBER;
        break;
      case 'I':
        if (this.#word('Infinity')) return new PyFloat(Infinity);
        break;
      case '-':
        if (this.#word('-Infinity')) return new PyFloat(-Infinity);
        break;
      default:
        break;
    }
    return this.#number();
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #number(): PyValue {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return fail('Expecting value', this.#text, this.#at);
    const [all, digits = '', fraction, exponent] = match;
    this.#at += all.length;
    if (fraction !== undefined || exponent !== undefined) return new PyFloat(Number(all));
    if (digits.length > MAX_INT_DIGITS) throw new JsonError(tooManyDigits(digits.length));
    return BigInt(all);
  }

  #nested<T>(what: string, read: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      throw new JsonError(`maximum recursion depth exceeded while decoding a JSON ${what} from a unicode string`);
    }
    const value = read();
    this.#depth--;
    return value;
  }

  #dict(): PyDict {
    const dict = new Map<string, PyValue>();
    this.#at++;
    this.#skipSpace();
    if (this.#word('}')) return dict;
    for (;;) {
      if (this.#text[this.#at] !== '"') {
        fail('Expecting property name enclosed in double quotes', this.#text, this.#at);
      }
      const key = this.#string();
      this.#skipSpace();
      if (!this.#word(':')) fail("Expecting ':' delimiter", this.#text, this.#at);
      this.#skipSpace();
      dict.set(key, this.#value());
      this.#skipSpace();
      if (this.#word('}')) return dict;
      if (!this.#word(',')) fail("Expecting ',' delimiter", this.#text, this.#at);
      this.#skipSpace();
    }
  }

  #list(): PyList {
    const list: PyValue[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#word(']')) return list;
    for (;;) {
      list.push(this.#value());
      this.#skipSpace();
      if (this.#word(']')) return list;
      if (!this.#word(',')) fail("Expecting ',' delimiter", this.#text, this.#at);
      this.#skipSpace();
    }
  }

  /** Reads a string, from its opening quote to the position after the closing one. */
  #string(): string {
    const text = this.#text;
    const begin = this.#at;
    let from = begin + 1;
    let result = '';
    for (let at = from; ; at++) {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code)) fail('Unterminated string starting at', text, begin);
      if (code < 0x20) fail('Invalid control character at', text, at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return result + text.slice(from, at);
      }
      if (code !== BACKSLASH) continue;
      result += text.slice(from, at);
      if (at + 1 >= text.length) fail('Unterminated string starting at', text, begin);
      const letter = text.charAt(at + 1);
      if (letter === 'u') {
        result += String.fromCharCode(this.#unicodeEscape(at));
        at += 5;
      } else {
        result += SHORT_ESCAPES[letter] ?? fail('Invalid \\escape', text, at);
        at += 1;
      }
      from = at + 1;
    }
  }

  /** Reads the code unit of a `\uXXXX` at `at`. Surrogates next to each other form a pair in a JavaScript string. */
  #unicodeEscape(at: number): number {
    const digits = this.#text.slice(at + 2, at + 6);
    // Python wants at least one more character after the four digits.
    if (at + 6 >= this.#text.length || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      fail('Invalid \\uXXXX escape', this.#text, at + 1);
    }
    return parseInt(digits, 16);
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const SHORT_ESCAPES: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
);

/** Returns the text of Python's error for an int literal (or `int(text)`) with that many digits. */
export function tooManyDigits(digits: number): string {
  return (
    `Exceeds the limit (${String(MAX_INT_DIGITS)} digits) for integer string conversion: value has ` +
    `${String(digits)} digits; use sys.set_int_max_str_digits() to increase the limit`
  );
}

function fail(problem: string, text: string, at: number): never {
  const before = text.slice(0, at);
  const column = codePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1;
  const line = before.split('\n').length;
  throw new JsonError(`${problem}: line ${String(line)} column ${String(column)} (char ${String(codePoints(before))})`);
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

/**
 * The input of {@link dumpJson}: Python values, plain numbers, and nested arrays and plain objects of these. `object`
 * stands for plain objects, because interfaces have no index signature; any other object throws.
 */
export type DumpableValue = PyValue | number | object;

interface DumpOptions {
  /**
   * Python's `indent`: spaces per level, one element per line, for the outer 40 levels. @default everything on one line
   */
  readonly indent?: number;
}

/**
 * `json.dumps(value)`: `", "` and `": "` as separators, everything but printable ASCII escaped, floats in Python's
 * form. Whole plain numbers are written as ints; undefined fields are left out.
 * @throws TypeError for values that JSON lacks (functions, symbols, undefined in an array, class instances)
 */
export function dumpJson(value: DumpableValue, options: DumpOptions = {}): string {
  return options.indent === undefined ? writeFlat(value) : writeIndented(value, ' '.repeat(options.indent), '\n', 0);
}

/** `json.dumps(value, sort_keys=True)`. */
export function dumpSortedJson(value: PyValue): string {
  return writeFlat(value, sortedFields);
}

const sortedFields: ListFields = (value) => Array.from(listMembers(value)).sort(([a], [b]) => compareText(a, b));

type ListFields = (value: object) => Iterable<readonly [string, unknown]>;

function writeFlat(value: unknown, listFields: ListFields = listMembers): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value !== 'object' || value === null || value instanceof PyFloat) return writeScalar(value);
  let text = '';
  let separator = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      text += separator + writeFlat(item, listFields);
      separator = ', ';
    }
    return `[${text}]`;
  }
  for (const [key, item] of listFields(value)) {
    text += `${separator}${quoteJson(key)}: ${writeFlat(item, listFields)}`;
    separator = ', ';
  }
  return `{${text}}`;
}

/** Deepest indentation. Deeper values stay on one line, because their indents would make the text quadratic. */
const MAX_INDENTS = 40;

function writeIndented(value: unknown, step: string, newline: string, depth: number): string {
  if (typeof value !== 'object' || value === null || value instanceof PyFloat) return writeScalar(value);
  if (depth === MAX_INDENTS) return writeFlat(value);
  const inner = newline + step;
  const isArray = Array.isArray(value);
  const parts = isArray
    ? (value as readonly unknown[]).map((item) => writeIndented(item, step, inner, depth + 1))
    : Array.from(
        listMembers(value),
        ([key, item]) => `${quoteJson(key)}: ${writeIndented(item, step, inner, depth + 1)}`,
      );
  const [open, close] = isArray ? '[]' : '{}';
  if (parts.length === 0) return `${String(open)}${String(close)}`;
  return `${String(open)}${inner}${parts.join(`,${inner}`)}${newline}${String(close)}`;
}

function listMembers(value: object): Iterable<readonly [string, unknown]> {
  if (value instanceof Map) return value as ReadonlyMap<string, unknown>;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`an instance of ${value.constructor.name} cannot be written as JSON`);
  }
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function writeScalar(value: unknown): string {
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : writeFloat(value);
  if (value === null) return 'null';
  if (value instanceof PyFloat) return writeFloat(value.value);
  throw new TypeError(`a value of type ${typeof value} cannot be written as JSON`);
}

function writeFloat(x: number): string {
  if (Number.isFinite(x)) return formatFloat(x);
  return Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity';
}

/**
 * Writes a string as `json.dumps` does: printable ASCII unchanged, other characters as `\uXXXX`. JavaScript's own
 * escapes equal Python's, and are several times as fast as a replacement per character.
 */
export function quoteJson(text: string): string {
  const quoted = JSON.stringify(text);
  return PLAIN.test(quoted) ? quoted : quoted.replace(SPECIAL, escapeChar);
}

const PLAIN = /^[ -~]*$/;
const SPECIAL = /[^ -~]/g;

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
