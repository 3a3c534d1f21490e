/** A Python file as a syntax tree: string and number literals, and errors with file and line. Runs no code. */

import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/python';
import { PackError } from '../../../benchmarks/packs/index.ts';
import { MAX_INT_DIGITS, PyFloat } from '../../../benchmarks/python/index.ts';

export interface PythonSource {
  /** Path for messages: relative to the checkout, with slashes. */
  readonly path: string;
  /** Text with `\n` at the end of every line, without a byte order mark. */
  readonly text: string;
  readonly tree: Tree;
}

/**
 * @throws PackError for text that is not Python, or uses syntax that the grammar lacks: a float that ends in its point
 * (`1.`) and template strings (`t'…'`)
 */
export function parsePython(path: string, contents: string): PythonSource {
  const text = contents.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const source: PythonSource = { path, text, tree: parser.parse(text) };
  const broken = firstError(source.tree);
  if (broken !== undefined) refuseSource(source, broken, 'this cannot be read as Python');
  return source;
}

/** @param what the problem, a clause without a full stop @throws PackError always, with file and line */
export function refuseSource(source: PythonSource, at: number | SyntaxNode, what: string): never {
  const position = typeof at === 'number' ? at : at.from;
  throw new PackError(`${source.path}:${String(findLine(source, position))}: ${what}; only literals are read from it.`);
}

/** Returns the number of the line, from 1. */
function findLine({ text }: PythonSource, position: number): number {
  return text.slice(0, position).split('\n').length;
}

export function getNodeText({ text }: PythonSource, node: SyntaxNode): string {
  return text.slice(node.from, node.to);
}

/** Returns the node's children in order, without comments. */
export function listChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/** @returns true for the tokens by which Python separates and encloses expressions */
export function isPunctuation(node: SyntaxNode): boolean {
  return PUNCTUATION.has(node.name);
}

const PUNCTUATION = new Set(['(', ')', '[', ']', '{', '}', ',', ':']);

function firstError(tree: Tree): number | undefined {
  let at: number | undefined;
  tree.iterate({
    enter: (node) => {
      if (at === undefined && node.type.isError) at = node.from;
      return at === undefined;
    },
  });
  return at;
}

/** The parts of a literal; `body` is the source between the quotes. */
interface StringParts {
  readonly raw: boolean;
  readonly formatted: boolean;
  readonly body: string;
  /** Position of the body within the literal. */
  readonly offset: number;
}

/** Error of an unreadable literal; the message is a clause such as `bytes are not text`. */
export class StringLiteralError extends Error {}

const PREFIXES = new Set(['', 'r', 'u', 'f', 'fr', 'rf']);

/** Splits a literal. @param literal one literal with prefix and quotes @throws StringLiteralError */
export function splitString(literal: string): StringParts {
  const opening = literal.search(/["']/);
  const prefix = literal.slice(0, opening).toLowerCase();
  if (prefix.includes('b')) throw new StringLiteralError('bytes are not text');
  if (opening < 0 || !PREFIXES.has(prefix)) throw new StringLiteralError(`a string with the prefix ${prefix}`);
  const one = literal.charAt(opening);
  const quote = literal.startsWith(one.repeat(3), opening) ? one.repeat(3) : one;
  const offset = opening + quote.length;
  const end = literal.length - quote.length;
  if (end < offset || literal.slice(end) !== quote) throw new StringLiteralError('a string without its closing quote');
  return { raw: prefix.includes('r'), formatted: prefix.includes('f'), body: literal.slice(offset, end), offset };
}

/**
 * Returns the value of a literal's body, or of a part of it.
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

/** @returns undefined for numbers that Python refuses (`01`, `1__0`) and for imaginary numbers */
export function readNumber(literal: string): bigint | PyFloat | undefined {
  const plain = literal.replaceAll('_', '');
  if (OTHER_BASE.test(literal)) return BigInt(plain.toLowerCase());
  if (DECIMAL.test(literal)) return plain.length > MAX_INT_DIGITS ? undefined : BigInt(plain);
  return FLOAT.test(literal) ? new PyFloat(Number(plain)) : undefined;
}

const OTHER_BASE = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/;
const DECIMAL = /^(?:0(?:_?0)*|[1-9](?:_?[0-9])*)$/;
const DIGITS = '[0-9](?:_?[0-9])*';
const FLOAT = new RegExp(`^(?:${DIGITS}\\.(?:${DIGITS})?|\\.${DIGITS}|${DIGITS}(?=[eE]))(?:[eE][-+]?${DIGITS})?$`);
