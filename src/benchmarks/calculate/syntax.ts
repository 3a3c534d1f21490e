/**
 * Parses arithmetic as Python does, including unintended forms: `()` is a tuple, `...` an ellipsis and `2(3)` a call.
 * Like Python, it parses a second time after a failure, for a better error message.
 */

import { MAX_INT_DIGITS, PyError, tooManyDigits } from '../python/index.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '**';

export type Expression = (
  | { readonly kind: 'number'; readonly value: bigint | number }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'unary'; readonly operator: '+' | '-'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly callee: Expression; readonly argument: Argument | null }
) & { /** Length of the longest path to a leaf. */ readonly height: number };

/** The only argument of a call (there are no commas): plain, or unpacked. */
interface Argument {
  readonly unpack: '' | '*' | '**';
  readonly value: Expression;
}

/** Approximate limit of Python 3.11's compiler. A walk over an expression takes a stack frame per level. */
const MAX_HEIGHT = 2900;

/** @throws PyError a SyntaxError with Python's text */
export function parseExpression(text: string): Expression {
  const tokens = new TokenReader(text);
  if (tokens.at(0).kind === 'end') throw syntaxError('invalid syntax', 0);
  const expression = new Parser(tokens, false).whole();
  if (expression === null) throw explain(tokens);
  return expression;
}

/** Returns the reason why the expression does not parse. */
function explain(tokens: TokenReader): PyError {
  let reason = syntaxError('invalid syntax');
  try {
    new Parser(tokens, true).whole();
  } catch (error) {
    if (!(error instanceof Explanation)) throw error;
    reason = syntaxError(error.message);
  }
  tokens.finish();
  return reason;
}

/** Ends the second parse with an explanation. A later error of the tokenizer still takes precedence. */
class Explanation extends Error {}

/** An operator that waits for its operand. */
interface Sign {
  readonly kind: '+' | '-';
}
interface Power {
  readonly kind: '**';
  readonly base: Expression;
  /** Position of the operator. */
  readonly at: number;
}

/** A recursive-descent parser. Methods return null for a missing element, and may have moved the position. */
class Parser {
  readonly #tokens: TokenReader;
  /** True to look for explanations of the failure. */
  #explaining: boolean;
  #at = 0;
  /** Current nesting of factors. */
  #depth = 0;
  readonly #sums = new Map<number, { readonly sum: Expression | null; readonly end: number }>();

  constructor(tokens: TokenReader, explaining: boolean) {
    this.#tokens = tokens;
    this.#explaining = explaining;
  }

  whole(): Expression | null {
    const expression = this.#expression();
    return expression !== null && this.#peek() === 'end' ? expression : null;
  }

  #peek(): TokenKind {
    return this.#tokens.at(this.#at).kind;
  }

  #accept(kind: TokenKind): boolean {
    if (this.#peek() !== kind) return false;
    this.#at++;
    return true;
  }

  #expression(): Expression | null {
    const expression = this.#sum();
    if (expression !== null && this.#explaining) this.#lookForMissingComma();
    return expression;
  }

  /** Looks for two expressions in a row within parentheses, between which a comma may be missing. */
  #lookForMissingComma(): void {
    const end = this.#at;
    this.#explaining = false;
    const second = this.#sum();
    this.#explaining = true;
    if (second !== null && this.#tokens.at(this.#at - 1).level > 0) {
      throw new Explanation('invalid syntax. Perhaps you forgot a comma?');
    }
    this.#at = end;
  }

  /**
   * Parses a sum. Results are stored by position, because parts of a text are parsed repeatedly, twice as often at each
   * level of nesting.
   */
  #sum(): Expression | null {
    const key = 2 * this.#at + (this.#explaining ? 1 : 0);
    const known = this.#sums.get(key);
    if (known !== undefined) {
      this.#at = known.end;
      return known.sum;
    }
    const sum = this.#leftToRight(['+', '-'], () => this.#term());
    this.#sums.set(key, { sum, end: this.#at });
    return sum;
  }

  #term(): Expression | null {
    return this.#leftToRight(['*', '/', '//'], () => this.#factor());
  }

  /**
   * Parses operators and operands. An operator without its last operand is not consumed, and a later step fails on it.
   */
  #leftToRight(operators: readonly TokenKind[], operand: () => Expression | null): Expression | null {
    let left = operand();
    while (left !== null && operators.includes(this.#peek())) {
      const at = this.#at;
      const operator = this.#peek() as BinaryOperator;
      this.#at++;
      const right = operand();
      if (right === null) {
        this.#at = at;
        return left;
      }
      left = binary(operator, left, right);
    }
    return left;
  }

  /**
   * Parses signs and powers in a loop, because they nest to the right as deep as a text is long, which could exhaust
   * the stack.
   */
  #factor(): Expression | null {
    const depth = this.#depth;
    const open: (Sign | Power)[] = [];
    let operand: Expression | null;
    for (;;) {
      if (++this.#depth > MAX_HEIGHT) throw tooDeep();
      const kind = this.#peek();
      if (kind === '+' || kind === '-') {
        open.push({ kind });
      } else {
        operand = this.#primary();
        if (operand === null || this.#peek() !== '**') break;
        open.push({ kind: '**', base: operand, at: this.#at });
      }
      this.#at++;
    }
    this.#depth = depth;
    for (const outer of open.reverse()) {
      if (outer.kind === '**') {
        if (operand === null) this.#at = outer.at;
        operand = operand === null ? outer.base : binary('**', outer.base, operand);
      } else if (operand !== null) {
        operand = limitHeight({ kind: 'unary', operator: outer.kind, operand, height: operand.height + 1 });
      }
    }
    return operand;
  }

  #primary(): Expression | null {
    let callee = this.#atom();
    while (callee !== null) {
      const at = this.#at;
      if (this.#accept('.')) {
        // Only a name could follow the point, so Python reads the next token and finds none.
        this.#peek();
        this.#at = at;
        return callee;
      }
      if (!this.#accept('(')) return callee;
      const argument = this.#peek() === ')' ? null : this.#argument();
      if (argument === undefined || !this.#accept(')')) {
        this.#at = at;
        return callee;
      }
      const height = 1 + Math.max(callee.height, argument?.value.height ?? 0);
      callee = limitHeight({ kind: 'call', callee, argument, height });
    }
    return null;
  }

  #argument(): Argument | undefined {
    const unpack = this.#accept('*') ? '*' : this.#accept('**') ? '**' : '';
    const value = this.#expression();
    return value === null ? undefined : { unpack, value };
  }

  #atom(): Expression | null {
    const token = this.#tokens.at(this.#at);
    if (token.kind === 'number') {
      this.#at++;
      return { kind: 'number', value: numberValue(token.text), height: 1 };
    }
    if (this.#accept('...')) return { kind: 'ellipsis', height: 1 };
    if (!this.#accept('(')) return null;
    if (this.#accept(')')) return { kind: 'tuple', height: 1 };
    if (this.#peek() === '*' || this.#peek() === '**') return this.#starred();
    const inner = this.#expression();
    return inner !== null && this.#accept(')') ? inner : null;
  }

  /** Parses `(*x)`, which would begin a tuple. Without a comma it is an error, which only the second parse reports. */
  #starred(): null {
    const start = this.#at;
    if (this.#accept('*')) {
      if (this.#sum() !== null) this.#peek();
      this.#at = start;
    }
    if (!this.#explaining) return null;
    const star = this.#accept('*') ? 'starred' : 'double starred';
    if (star === 'double starred') this.#at++;
    if (this.#expression() !== null && this.#accept(')')) {
      throw new Explanation(`cannot use ${star} expression here`);
    }
    return null;
  }
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return limitHeight({ kind: 'binary', operator, left, right, height: 1 + Math.max(left.height, right.height) });
}

function limitHeight(expression: Expression): Expression {
  if (expression.height > MAX_HEIGHT) throw tooDeep();
  return expression;
}

function tooDeep(): PyError {
  return new PyError('RecursionError', 'maximum recursion depth exceeded during compilation');
}

/**
 * Kind of a token of Python's tokenizer. Errors depend on how far the parser has read, so tokens are read one at a
 * time.
 */
type TokenKind = 'number' | '...' | '.' | '+' | '-' | '*' | '/' | '//' | '**' | '(' | ')' | 'end';

interface Token {
  readonly kind: TokenKind;
  /** Source text. */
  readonly text: string;
  /** Number of open parentheses after the token. */
  readonly level: number;
}

/** Python's limit on nested parentheses. */
const MAX_LEVEL = 200;

/** Creates an error of Python's parser. Expressions have one line, an empty expression has none. */
function syntaxError(problem: string, line = 1): PyError {
  return new PyError('SyntaxError', `${problem} (<string>, line ${String(line)})`);
}

/** Reads tokens on demand and remembers them, so that a parser can go back. */
class TokenReader {
  readonly #text: string;
  readonly #read: Token[] = [];
  #at = 0;
  #level = 0;

  /** @param text digits, operators, parentheses, points and spaces; nothing else */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns the token at an index.
   * @throws PyError for an invalid token, and for an end within parentheses
   */
  at(index: number): Token {
    for (;;) {
      const token = this.#read[index];
      if (token !== undefined) return token;
      this.#read.push(this.#next());
    }
  }

  /**
   * Reads the remaining tokens, because an error of the tokenizer takes precedence over the parser's; an open
   * parenthesis does not.
   */
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
function numberValue(text: string): bigint | number {
  if (text.includes('.')) return Number(text);
  if (text.length > MAX_INT_DIGITS) {
    const advice = 'Consider hexadecimal for huge integer literals to avoid decimal conversion limits.';
    throw syntaxError(`${tooManyDigits(text.length)} - ${advice}`);
  }
  return BigInt(text);
}
