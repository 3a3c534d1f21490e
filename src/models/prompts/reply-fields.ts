/**
 * Reads the fields of a reply that was requested as a JSON object. It also accepts a code fence or words around the
 * object, Python's spelling, and numbers that JSON does not allow, such as a post code with a leading zero.
 *
 * Numbers keep their digits, because what looks like a number is often an id.
 */

import * as z from 'zod';
import { parseLiteral, stringEnd, type ReplyFieldDefinition, type ReplyFieldValues } from '../../agents/index.ts';
import { dumpJson, isDict, isList, parseJson, type PyValue } from '../../benchmarks/python/index.ts';

/** Most places where the object may begin. Models also use braces when they think aloud. */
const MAX_STARTS = 20;

/** @returns null if the text has no JSON object with any of the fields */
export function readReplyFields(
  text: string | null,
  definitions: readonly ReplyFieldDefinition[],
): ReplyFieldValues | null {
  const schema = replyFieldsSchema(definitions);
  const lists = new Set(definitions.filter(({ type }) => type === 'list').map(({ name }) => name));
  for (const candidate of objectTexts(text ?? '')) {
    const object = parseLiteral(keepSpelling(candidate, lists));
    if (!isDict(object)) continue;
    const parsed = schema.safeParse(Object.fromEntries(object));
    if (parsed.success) return parsed.data;
  }
  return null;
}

/** Yields texts that may be the object, the longest first. */
function* objectTexts(text: string): Generator<string> {
  const end = text.lastIndexOf('}');
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && start < end && tried < MAX_STARTS; tried++) {
    yield text.slice(start, end + 1);
    start = text.indexOf('{', start + 1);
  }
}

/**
 * Puts numbers in quotes if parsing would change them: fields and items of list fields that Python would write
 * differently (`1.50`, `1e3`), and everywhere text that only starts like a number (`0012`). A number deeper down
 * belongs to a JSON value, and may change its spelling.
 */
function keepSpelling(text: string, lists: ReadonlySet<string>): string {
  const nesting: string[] = [];
  let field = '';
  const parts: string[] = [];
  for (const { text: token, isString, isKey } of readTokens(text)) {
    if (isString) {
      if (isKey && nesting.length === 1 && nesting[0] === '{') field = token.slice(1, -1);
    } else if (token === '{' || token === '[') nesting.push(token);
    else if (token === '}' || token === ']') nesting.pop();
    else if (NUMBER_LIKE.test(token)) {
      const inList = nesting.length === 2 && nesting[1] === '[' && lists.has(field);
      const isValue = nesting[0] === '{' && (nesting.length === 1 || inList);
      const spelling = formatNumber(token);
      if (spelling === undefined || (isValue && spelling !== token)) {
        parts.push(JSON.stringify(token));
        continue;
      }
    }
    parts.push(token);
  }
  return parts.join('');
}

interface Token {
  readonly text: string;
  readonly isString: boolean;
  /** A string that is followed by a colon. */
  readonly isKey: boolean;
}

/**
 * Yields strings in either kind of quotes, brackets, text that starts like a number, and the text between these.
 *
 * A string that is never closed counts as none. Then no later quote of its kind can open one either, because each of
 * them is escaped, so the rest of the text is searched once, not from every quote.
 */
function* readTokens(text: string): Generator<Token> {
  const closable = new Set(['"', "'"]);
  let from = 0;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    let token: string | undefined;
    let isString = false;
    if (char === '"' || char === "'") {
      const end = closable.has(char) ? stringEnd(text, at) : undefined;
      if (end === undefined) closable.delete(char);
      else [token, isString] = [text.slice(at, end), true];
    } else if (BRACKETS.includes(char)) token = char;
    else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      token = NUMBER.exec(text)?.[0];
    }
    if (token === undefined) {
      at += 1;
      continue;
    }
    if (from < at) yield { text: text.slice(from, at), isString: false, isKey: false };
    at += token.length;
    from = at;
    COLON.lastIndex = at;
    yield { text: token, isString, isKey: isString && COLON.test(text) };
  }
  if (from < text.length) yield { text: text.slice(from), isString: false, isKey: false };
}

const BRACKETS = '{}[]';
const NUMBER = /(?<!\w)-?\d[\w.+-]*/y;
const NUMBER_LIKE = /^-?\d/;
const COLON = /\s*:/y;

/** Returns Python's spelling of the number; undefined if it is none. */
function formatNumber(token: string): string | undefined {
  try {
    return dumpJson(parseJson(token));
  } catch {
    return undefined;
  }
}

/** Any JSON value. `parseJson` has read the values, so they are not checked again. */
const anyValue = z.custom<PyValue>((value) => value !== undefined);

const textField = anyValue
  .nullish()
  .transform((value) => (value === undefined || value === null ? null : asText(value)));

/** A single text stays a single item; only the reader of the field knows whether it is a list. */
const listField = anyValue.nullish().transform((value) => {
  if (value === undefined || value === null) return null;
  return (isList(value) ? value : [value]).filter((item) => item !== null).map(asText);
});

/**
 * Returns the schema of a reply. An object without any of the fields is no answer; in an answer, missing fields are
 * null.
 */
function replyFieldsSchema(definitions: readonly ReplyFieldDefinition[]): z.ZodType<ReplyFieldValues> {
  const shape = definitions.map(({ name, type }) => [name, type === 'list' ? listField : textField] as const);
  const names = definitions.map(({ name }) => name);
  return z
    .record(z.string(), z.unknown())
    .refine((reply) => names.length === 0 || names.some((name) => Object.hasOwn(reply, name)), {
      error: `has none of the fields ${names.join(', ')}`,
    })
    .pipe(z.object(Object.fromEntries(shape)));
}

function asText(value: PyValue): string {
  return typeof value === 'string' ? value : dumpJson(value);
}
