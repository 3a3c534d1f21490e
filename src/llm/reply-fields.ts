/**
 * Reads the fields of a reply that was asked for as a JSON object, with good will: a code fence or words around the
 * object, Python's spelling, and numbers that JSON does not know, such as a post code with a leading zero.
 *
 * Numbers keep their digits: what looks like one is often an id.
 */

import { parseLiteral } from '../agents/fastworkflow/cme/parameters/literal.ts';
import type { ReplyFieldDefinition, ReplyFieldValues } from '../agents/port.ts';
import { dumpJson, parseJson } from '../bench/python/json.ts';
import { isDict } from '../bench/python/value.ts';
import { replyFieldsSchema } from './reply-fields.schema.ts';

/** Places where the object may begin: models think aloud in braces, but not for ever. */
const MAX_STARTS = 20;

/** @returns null when the text holds no JSON object with any of the fields */
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

/** What may be the object, the longest first. */
function* objectTexts(text: string): Generator<string> {
  const end = text.lastIndexOf('}');
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && start < end && tried < MAX_STARTS; tried++) {
    yield text.slice(start, end + 1);
    start = text.indexOf('{', start + 1);
  }
}

/**
 * Puts numbers in quotes that would come out differently from how they went in: fields and items of list fields that
 * Python would write in another way (`1.50`, `1e3`), and everywhere what starts like a number and is none (`0012`).
 * A number deeper down is part of a JSON value and may change its spelling.
 */
function keepSpelling(text: string, lists: ReadonlySet<string>): string {
  let nesting = '';
  let field = '';
  return text.replace(TOKEN, (token: string, quoted: string | undefined, colon: string | undefined) => {
    if (token === '{' || token === '[') nesting += token;
    else if (token === '}' || token === ']') nesting = nesting.slice(0, -1);
    else if (quoted === undefined) {
      const isValue = nesting === '{' || (nesting === '{[' && lists.has(field));
      const spelling = spellingOf(token);
      if (spelling === undefined || (isValue && spelling !== token)) return JSON.stringify(token);
    } else if (nesting === '{' && colon !== undefined) field = quoted.slice(1, -1);
    return token;
  });
}

/** Strings in either kind of quotes, with the colon of a key; brackets; what starts like a number. */
const TOKEN = /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')(\s*:)?|[{}[\]]|(?<!\w)-?\d[\w.+-]*/g;

/** How Python writes the number; undefined for none. */
function spellingOf(token: string): string | undefined {
  try {
    return dumpJson(parseJson(token));
  } catch {
    return undefined;
  }
}
