/** What a Python string literal stands for: prefixes, quotes, escapes. */

/** A literal taken apart; `body` is the source between the quotes. */
export interface StringParts {
  readonly raw: boolean;
  readonly formatted: boolean;
  readonly body: string;
  /** Where the body begins in the literal. */
  readonly offset: number;
}

/** The literal cannot be read; the message is a clause such as `bytes are no text`. */
export class StringLiteralError extends Error {}

const PREFIXES = new Set(['', 'r', 'u', 'f', 'fr', 'rf']);

/** @param literal one literal with its prefix and quotes @throws StringLiteralError */
export function splitString(literal: string): StringParts {
  const opening = literal.search(/["']/);
  const prefix = literal.slice(0, opening).toLowerCase();
  if (prefix.includes('b')) throw new StringLiteralError('bytes are no text');
  if (opening < 0 || !PREFIXES.has(prefix)) throw new StringLiteralError(`a string with the prefix ${prefix}`);
  const one = literal.charAt(opening);
  const quote = literal.startsWith(one.repeat(3), opening) ? one.repeat(3) : one;
  const offset = opening + quote.length;
  const end = literal.length - quote.length;
  if (end < offset || literal.slice(end) !== quote) throw new StringLiteralError('a string without its closing quote');
  return { raw: prefix.includes('r'), formatted: prefix.includes('f'), body: literal.slice(offset, end), offset };
}

/**
 * The text that a body, or a part of one, stands for.
 * @throws StringLiteralError for escapes that Python refuses, and for characters by name, which need Unicode's list
 */
export function unescape(body: string, raw: boolean): string {
  if (raw || !body.includes('\\')) return body;
  let text = '';
  for (let at = 0; at < body.length;) {
    if (body.charAt(at) !== '\\') {
      const next = body.indexOf('\\', at);
      const end = next < 0 ? body.length : next;
      text += body.slice(at, end);
      at = end;
      continue;
    }
    const { value, length } = readEscape(body, at);
    text += value;
    at += length;
  }
  return text;
}

interface Escape {
  readonly value: string;
  readonly length: number;
}

function readEscape(body: string, at: number): Escape {
  const letter = body.charAt(at + 1);
  const simple = SIMPLE.get(letter);
  if (simple !== undefined) return { value: simple, length: 2 };
  const digits = HEX_DIGITS.get(letter);
  if (digits !== undefined) return hexEscape(body, at, digits);
  if (letter === 'N') throw new StringLiteralError('a character by its name (\\N{…}) is not known here');
  const octal = octalDigits(body, at + 1);
  if (octal !== '') return { value: String.fromCodePoint(parseInt(octal, 8)), length: 1 + octal.length };
  return { value: `\\${letter}`, length: 1 + letter.length };
}

function hexEscape(body: string, at: number, digits: number): Escape {
  const hex = body.slice(at + 2, at + 2 + digits);
  if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) {
    throw new StringLiteralError(`the escape ${body.slice(at, at + 2)} needs ${String(digits)} hexadecimal digits`);
  }
  const code = parseInt(hex, 16);
  if (code > 0x10ffff) throw new StringLiteralError(`there is no character ${hex}`);
  return { value: String.fromCodePoint(code), length: 2 + digits };
}

function octalDigits(body: string, from: number): string {
  let to = from;
  while (to < from + 3 && body.charAt(to) >= '0' && body.charAt(to) <= '7') to++;
  return body.slice(from, to);
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
