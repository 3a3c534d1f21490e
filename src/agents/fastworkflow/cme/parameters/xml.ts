/** The exact command syntax: a command's name, then its parameters in XML tags. */

import { dumpJson, type PyValue } from '../../../../benchmark/python/index.ts';
import type { CommandDefinition } from '../../catalogue/types.ts';
import type { RawParameters } from '../types.ts';
import { isBlank } from './coerce.ts';
import { readList } from './list.ts';
import { readInside, scanTags, writeTags, type Range, type Tag } from './tags.ts';

/** What a command's text says. */
export interface Syntax {
  readonly found: RawParameters;
  /** What the text says beside the parameters that were found in it; `''` when that has no letter and no digit. */
  readonly statement: string;
}

/**
 * Reads the parameters that are in tags. A command of one field takes the first tag of any name; a repeated tag of a
 * list collects all items, that of another field is read once. An empty tag gives a value only to a field that may be
 * empty.
 *
 * @param rest the text that belongs to the command
 */
export function readSyntax(command: CommandDefinition, rest: string): Syntax {
  const { tags, wrappers } = fieldTags(command, scanTags(rest));
  const found = new Map<string, string | readonly string[]>();
  const said: Range[] = [...wrappers];
  for (const field of command.fields) {
    const named = tags.filter((tag) => tag.name === field.name);
    const matching = named.length === 0 && command.fields.length === 1 ? tags.slice(0, 1) : named;
    const [first] = matching;
    if (first === undefined) continue;
    said.push(...matching);
    const texts = matching.map((tag) => readInside(tag.inside));
    if (texts.every((text) => isBlank(field, text))) continue;
    if (field.type === 'list') found.set(field.name, texts.flatMap(readList));
    else if (field.type === 'json' && texts.length > 1) found.set(field.name, texts);
    else found.set(field.name, texts[0] ?? '');
  }
  return { found, statement: statementOf(rest, said) };
}

/** Models sometimes wrap all parameters in one more tag, of which only the inside counts. */
function fieldTags(command: CommandDefinition, tags: readonly Tag[]): { tags: Tag[]; wrappers: Range[] } {
  const isField = ({ name }: Tag) => command.fields.some((field) => field.name === name);
  const result: Tag[] = [];
  const wrappers: Range[] = [];
  for (const tag of tags) {
    const inner = isField(tag) ? [] : scanTags(tag.inside).map((found) => moved(found, tag.insideStart));
    if (!inner.some(isField)) {
      result.push(tag);
      continue;
    }
    result.push(...inner);
    wrappers.push({ start: tag.start, end: tag.insideStart });
    wrappers.push({ start: tag.insideStart + tag.inside.length, end: tag.end });
  }
  return { tags: result, wrappers };
}

function moved(tag: Tag, by: number): Tag {
  return { ...tag, start: tag.start + by, end: tag.end + by, insideStart: tag.insideStart + by };
}

function statementOf(text: string, said: readonly Range[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of [...said].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, start).trim());
    at = end;
  }
  pieces.push(text.slice(at).trim());
  const left = withoutOuterBrackets(pieces.filter((piece) => piece !== '').join(' '));
  return /[\p{L}\p{N}]/u.test(left) ? left : '';
}

/** `(#W1)` is `#W1`; `(1 + 2) * (3 + 4)` stays. */
function withoutOuterBrackets(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (text.charAt(at) === '(') depth++;
    if (text.charAt(at) === ')') depth--;
    if (depth === 0) return text;
  }
  return text.slice(1, -1).trim();
}

/** The command as text, the inverse of reading it; what is no text in JSON's spelling. */
export function writeCommand(name: string, parameters: ReadonlyMap<string, PyValue>): string {
  const texts = Array.from(parameters, ([field, value]) => {
    return [field, typeof value === 'string' ? value : dumpJson(value)] as const;
  });
  return texts.length === 0 ? name : `${name} ${writeTags(texts)}`;
}
