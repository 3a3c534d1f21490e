/**
 * TOML as τ³-bench's telecom data have it: tables, arrays of tables, and one-line texts, numbers, booleans, dates and
 * arrays. Whole numbers and floats stay apart; dates are texts. Everything else of TOML is refused.
 */

import { PyFloat, isDict, isList, type PyDict, type PyValue } from '../python/index.ts';

type Table = Map<string, PyValue>;

/** @throws Error that names the line */
export function parseToml(text: string): PyDict {
  const root: Table = new Map();
  let table = root;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const reader = new Line(line, at + 1);
    if (reader.isAtEnd()) continue;
    if (reader.take('[[')) table = addItem(root, reader.header(']]'), reader);
    else if (reader.take('[')) table = openTable(root, reader.header(']'), reader);
    else {
      const key = reader.key();
      reader.expect('=');
      if (table.has(key)) reader.fail(`${key} is there twice`);
      table.set(key, reader.value(0));
    }
    if (!reader.isAtEnd()) reader.fail('something follows the value');
  }
  return root;
}

/** `[a.b]`: the table of that name, in the last item where a name on the way is that of a list. */
function openTable(root: Table, path: readonly string[], reader: Line): Table {
  return path.reduce((table, name) => {
    const there = table.get(name);
    const inner = isList(there) ? there.at(-1) : there;
    if (inner !== undefined) return isDict(inner) ? (inner as Table) : reader.fail(`${name} is no table`);
    const opened: Table = new Map();
    table.set(name, opened);
    return opened;
  }, root);
}

/** `[[a.b]]`: another item of the list of that name. */
function addItem(root: Table, path: readonly string[], reader: Line): Table {
  const parent = openTable(root, path.slice(0, -1), reader);
  const name = path.at(-1) ?? '';
  const list = parent.get(name) ?? [];
  if (!isList(list)) return reader.fail(`${name} is no list`);
  const item: Table = new Map();
  if (list.length === 0) parent.set(name, [item]);
  else (list as PyValue[]).push(item);
  return item;
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const TEXT = /"((?:[^"\\]|\\.)*)"|'([^']*)'/y;
/** A number, a boolean or a date. */
const WORD = /[A-Za-z0-9_+.:-]+/y;
const INTEGER = /^[+-]?(?:0|[1-9]\d*)$/;
const FLOAT = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?$/;
const MAX_DEPTH = 20;

class Line {
  readonly #text: string;
  readonly #number: number;
  #at = 0;

  constructor(text: string, number: number) {
    this.#text = text;
    this.#number = number;
  }

  fail(problem: string): never {
    throw new Error(`line ${String(this.#number)} of the TOML file cannot be read: ${problem}`);
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length || this.#text[this.#at] === '#';
  }

  take(mark: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  expect(mark: string): void {
    if (!this.take(mark)) this.fail(`there is no ${mark}`);
  }

  /** The names of a table, up to its bracket. */
  header(end: string): string[] {
    const path = [this.key()];
    while (this.take('.')) path.push(this.key());
    this.expect(end);
    return path;
  }

  key(): string {
    this.#skipSpace();
    return this.#match(BARE_KEY)?.[0] ?? this.fail('there is no plain key');
  }

  value(depth: number): PyValue {
    if (depth > MAX_DEPTH) this.fail('it is nested too deeply');
    if (this.take('[')) return this.#list(depth);
    const [quoted, basic, literal] = this.#match(TEXT) ?? [];
    if (quoted !== undefined) return basic === undefined ? (literal ?? '') : this.#unescape(basic);
    const word = this.#match(WORD)?.[0] ?? this.fail('there is no value');
    if (word === 'true' || word === 'false') return word === 'true';
    if (INTEGER.test(word)) return BigInt(word.replace('+', ''));
    if (FLOAT.test(word)) return new PyFloat(Number(word));
    return DATE.test(word) ? word : this.fail(`${word} is no value`);
  }

  #list(depth: number): PyValue {
    const items: PyValue[] = [];
    while (!this.take(']')) {
      if (items.length > 0) this.expect(',');
      if (this.take(']')) break;
      items.push(this.value(depth + 1));
    }
    return items;
  }

  /** TOML's escapes are JSON's, and `\\U` with eight digits, which no data have. */
  #unescape(text: string): string {
    if (!text.includes('\\')) return text;
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      return this.fail('its text has an unknown escape');
    }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++;
  }
}
