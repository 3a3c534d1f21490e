/**
 * Splits an arithmetic expression into tokens, one at a time, as Python's tokenizer does: its errors depend on how
 * far the parser has looked, so nothing is read ahead.
 */

import { PyError, tooManyDigits } from '../python/index.ts';

export type TokenKind = 'number' | '...' | '.' | '+' | '-' | '*' | '/' | '//' | '**' | '(' | ')' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The characters it is made of. */
  readonly text: string;
  /** Number of open parentheses behind it. */
  readonly level: number;
}

/** Python's bound on nested parentheses. */
const MAX_LEVEL = 200;
const MAX_INT_DIGITS = 4300;

/** An error of Python's parser; expressions have one line, an empty one has none. */
export function syntaxError(problem: string, line = 1): PyError {
  return new PyError('SyntaxError', `${problem} (<string>, line ${String(line)})`);
}

/** Reads tokens on demand and remembers them, so that a parser can go back. */
export class Tokens {
  readonly #text: string;
  readonly #read: Token[] = [];
  #at = 0;
  #level = 0;

  /** @param text digits, operators, parentheses, points and spaces; nothing else */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The token at an index.
   * @throws PyError for what cannot be a token, and for an end within parentheses
   */
  at(index: number): Token {
    for (;;) {
      const token = this.#read[index];
      if (token !== undefined) return token;
      this.#read.push(this.#next());
    }
  }

  /** Reads what is left, because an error of the tokenizer outranks the parser's; an open parenthesis does not. */
  finish(): void {
    while (this.#at < this.#text.length) {
      const token = this.#scan();
      if (token.kind === 'end') return;
      this.#read.push(token);
    }
  }

  #next(): Token {
    const token = this.#scan();
    if (token.kind === 'end' && this.#level > 0) throw syntaxError("'(' was never closed");
    return token;
  }

  #scan(): Token {
    while (this.#text[this.#at] === ' ') this.#at++;
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number !== undefined) return this.#take('number', checkNumber(number));
    SYMBOL.lastIndex = this.#at;
    const symbol = (SYMBOL.exec(this.#text)?.[0] ?? 'end') as TokenKind;
    if (symbol === '(') {
      if (this.#level >= MAX_LEVEL) throw syntaxError('too many nested parentheses');
      this.#level++;
    } else if (symbol === ')') {
      if (this.#level === 0) throw syntaxError("unmatched ')'");
      this.#level--;
    }
    return this.#take(symbol, symbol === 'end' ? '' : symbol);
  }

  #take(kind: TokenKind, text: string): Token {
    this.#at += text.length;
    return { kind, text, level: this.#level };
  }
}

const NUMBER = /[0-9]+(\.[0-9]*)?|\.[0-9]+/y;
const SYMBOL = /\.\.\.|\*\*|\/\/|[-+*/().]/y;

function checkNumber(text: string): string {
  if (/^0[0-9]+$/.test(text) && /[1-9]/.test(text)) {
    throw syntaxError(
      'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
    );
  }
  return text;
}

/** The value of a number token: an int unless it has a point. */
export function numberValue(text: string): bigint | number {
  if (text.includes('.')) return Number(text);
  if (text.length > MAX_INT_DIGITS) {
    const advice = 'Consider hexadecimal for huge integer literals to avoid decimal conversion limits.';
    throw syntaxError(`${tooManyDigits(text.length)} - ${advice}`);
  }
  return BigInt(text);
}
