/**
 * JSON that models write and read. A reader of JSON or lists also accepts Python's spelling (single quotes, `True`,
 * `None`), trailing commas, a code fence and words around it. Takes time linear in the text's length.
 */

import {
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyDict,
  type PyValue,
  compareText,
} from '../../benchmarks/python/index.ts';

/** Parses JSON, or Python's spelling of it. @returns undefined for any other text */
export function parseLiteral(text: string): PyValue | undefined {
  const trimmed = text.trim();
  const direct = tryJson(trimmed);
  if (direct !== undefined) return direct;
  const respelled = toJsonSpelling(trimmed);
  return respelled === undefined ? undefined : tryJson(respelled);
}

/** Returns the JSON object in a text; undefined if there is none. An empty text is an empty object. */
export function parseLooseObject(text: string): PyDict | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null' || trimmed === 'None') return new Map();
  const direct = parseLiteral(trimmed);
  if (isDict(direct)) return direct;
  const start = trimmed.indexOf('{');
  const end = trimmed.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  const inner = parseLiteral(trimmed.slice(start, end + 1));
  return isDict(inner) ? inner : undefined;
}

/** Parses JSON. @returns undefined for a text that is not JSON, and for `null`, which no caller uses */
function tryJson(text: string): PyValue | undefined {
  try {
    return parseJson(text) ?? undefined;
  } catch {
    // Not JSON; the caller tries the next form.
    return undefined;
  }
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
/** Matches positions where the spelling changes, or a string begins. */
const SPECIAL = /["',]|\b(?:True|False|None)\b/g;

/**
 * Rewrites Python's spelling outside of double-quoted strings; text that is JSON already stays the same.
 * @returns undefined for a text with an unterminated string
 */
function toJsonSpelling(text: string): string | undefined {
  const pieces: string[] = [];
  let copied = 0;
  const replace = (start: number, end: number, piece: string) => {
    pieces.push(text.slice(copied, start), piece);
    copied = end;
  };
  const special = new RegExp(SPECIAL);
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const { 0: found, index } = match;
    if (found === ',') {
      const next = skipBlanks(text, index + 1);
      if (next < text.length && ']}'.includes(text.charAt(next))) replace(index, index + 1, '');
      special.lastIndex = next;
    } else if (found === '"' || found === "'") {
      const end = stringEnd(text, index);
      if (end === undefined) return undefined;
      replace(index, end, jsonString(text.slice(index + 1, end - 1)));
      special.lastIndex = end;
    } else {
      replace(index, index + found.length, PYTHON_WORDS[found] ?? found);
    }
  }
  return [...pieces, text.slice(copied)].join('');
}

function skipBlanks(text: string, from: number): number {
  const other = /\S/g;
  other.lastIndex = from;
  return other.exec(text)?.index ?? text.length;
}

/**
 * Returns the position after a string. @param at position of its opening quote @returns undefined if it does not end
 */
export function stringEnd(text: string, at: number): number | undefined {
  const quote = text.charAt(at);
  for (let i = at + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === quote) return i + 1;
    if (char === '\\') i++;
  }
  return undefined;
}

/**
 * Matches characters whose spelling differs between JSON and Python or imprecise models. Other escapes are skipped in
 * pairs.
 */
const RESPELLED = /\\[\s\S]|["\n\r\t]/g;
const SPELLINGS: Readonly<Record<string, string>> = {
  "\\'": "'",
  '"': '\\"',
  // Models write line breaks into strings, which JSON forbids.
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\\n': '\\\\n',
  '\\\r': '\\\\r',
  '\\\t': '\\\\t',
};

/** Converts the inside of a string with either quotes to a JSON string. */
function jsonString(inside: string): string {
  return `"${inside.replace(RESPELLED, (found) => SPELLINGS[found] ?? found)}"`;
}

/** Reads a JSON array, a Python list, or items separated by commas, otherwise by spaces. */
export function readList(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const literal = /^[[(]/.test(trimmed) ? parseLiteral(trimmed.replace(/^\(([\s\S]*)\)$/, '[$1]')) : undefined;
  if (isList(literal)) return literal.map(itemText);
  const bare = trimmed.replace(/^[[(]/, '').replace(/[\])]$/, '');
  const separator = bare.includes(',') ? ',' : /["']/.test(bare) ? null : /\s/;
  const items = separator === null ? [bare] : bare.split(separator);
  return items.map((item) => unquote(item.trim())).filter((item) => item !== '');
}

/** Returns an item of a list as text; ints become text. */
function itemText(item: PyValue): string {
  return typeof item === 'string' ? item : dumpJson(item);
}

function unquote(text: string): string {
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2').trim();
}

interface ReadableOptions {
  /** True to order keys by code point at every level, so that equal values have equal texts. @default false */
  readonly sortKeys?: boolean;
}

/** Writes JSON for prompts, like `dumpJson` but without escaping letters of any language. */
export function readableJson(value: PyValue, { sortKeys = false }: ReadableOptions = {}): string {
  return dumpJson(sortKeys ? orderKeys(value) : value).replace(ESCAPE, (escape, hex: string | undefined) => {
    const code = hex === undefined ? 0 : parseInt(hex, 16);
    return code < 0xa0 ? escape : String.fromCharCode(code);
  });
}

/** Matches a whole escape at a time, because the second half of an escaped backslash begins no escape. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/g;

function orderKeys(value: PyValue): PyValue {
  if (isList(value)) return value.map(orderKeys);
  if (!isDict(value)) return value;
  const entries = Array.from(value, ([key, item]) => [key, orderKeys(item)] as const);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}
