/**
 * The exact command syntax: a command's name, then its parameters in XML tags. It is read and written in time linear in
 * the text's length.
 *
 * Values are taken literally, without entity decoding: models write `A & B`, not `A &amp; B`. A CDATA section is for
 * values that cannot be written otherwise (white space at the ends, a tag of the same name).
 */

import { dumpJson, type PyValue } from '../../../benchmarks/python/index.ts';
import type { CommandDefinition } from '../catalogue/definitions.ts';
import type { RawParameters } from './types.ts';
import { isBlank } from './parameters.ts';
import { readList } from '../json.ts';

/** Parts of a command's text: its parameters, and the other words. */
export interface Syntax {
  readonly found: RawParameters;
  /** The text without its parameters; `''` if it has no letter and no digit. */
  readonly statement: string;
}

/**
 * Reads the parameters in tags. The first tag of any name, even one closed by another name, is the value of a command's
 * only field. For a list, repeated tags add items; any other field has only one tag. An empty tag is a value only for a
 * field that may be empty.
 *
 * @param rest the text that belongs to the command
 */
export function readSyntax(command: CommandDefinition, rest: string): Syntax {
  const { tags, wrappers } = fieldTags(command, scanTags(rest));
  const found = new Map<string, string | readonly string[]>();
  const said: Range[] = [...wrappers];
  for (const field of command.fields) {
    const named = tags.filter((tag) => tag.name === field.name);
    const isOnly = named.length === 0 && command.fields.length === 1;
    const matching = isOnly ? (tags.length > 0 ? tags : findMismatched(rest)).slice(0, 1) : named;
    const [first] = matching;
    if (first === undefined) continue;
    said.push(...matching);
    const texts = matching.map((tag) => readInside(tag.inside));
    if (texts.every((text) => isBlank(field, text))) continue;
    if (field.type === 'list') found.set(field.name, texts.flatMap(readList));
    else if (field.type === 'json' && texts.length > 1) found.set(field.name, texts);
    else found.set(field.name, texts[0] ?? '');
  }
  return { found, statement: joinStatement(rest, said) };
}

/** Finds a tag that is closed by another name. */
function findMismatched(text: string): Tag[] {
  const [all = '', opening = '', inside = ''] = /(<[A-Za-z_][\w.-]*>)([^<]+)<\/[A-Za-z_][\w.-]*>/.exec(text) ?? [];
  const start = text.indexOf(all);
  if (all === '') return [];
  return [{ name: '', inside, insideStart: start + opening.length, start, end: start + all.length }];
}

/** Unwraps parameters that a model put into an additional tag. */
function fieldTags(command: CommandDefinition, tags: readonly Tag[]): { tags: Tag[]; wrappers: Range[] } {
  const isField = ({ name }: Tag) => command.fields.some((field) => field.name === name);
  const result: Tag[] = [];
  const wrappers: Range[] = [];
  for (const tag of tags) {
    const inner = isField(tag) ? [] : scanTags(tag.inside).map((found) => moveTag(found, tag.insideStart));
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

function moveTag(tag: Tag, by: number): Tag {
  return { ...tag, start: tag.start + by, end: tag.end + by, insideStart: tag.insideStart + by };
}

function joinStatement(text: string, said: readonly Range[]): string {
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

/** Removes outer brackets: `(#W1)` becomes `#W1`; `(1 + 2) * (3 + 4)` does not change. */
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

/** Writes a command as text, the inverse of reading one; values other than texts are written as JSON. */
export function writeCommand(name: string, parameters: ReadonlyMap<string, PyValue>): string {
  const texts = Array.from(parameters, ([field, value]) => {
    return [field, typeof value === 'string' ? value : dumpJson(value)] as const;
  });
  return texts.length === 0 ? name : `${name} ${writeTags(texts)}`;
}

/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Tag extends Range {
  readonly name: string;
  /** The text between the tags, as written. */
  readonly inside: string;
  readonly insideStart: number;
}

const TOKEN = /<!\[CDATA\[|<(\/?)([A-Za-z_][\w.-]*)\s*(\/?)>/g;

/**
 * Finds every tag of a text, nested ones included, ordered by their start.
 *
 * An opening tag belongs to the next closing tag of its name, unless another tag of that name opens before it: then the
 * first one is unclosed, and is text. Tags in a CDATA section are text as well.
 */
export function pairTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const open = new Map<string, { readonly start: number; readonly insideStart: number }>();
  const token = new RegExp(TOKEN);
  let isCdataOver = false;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: all, 1: slash, 2: name = '', 3: selfClosing, index: start } = match;
    const end = start + all.length;
    if (all.startsWith('<!')) {
      const close = isCdataOver ? -1 : text.indexOf(']]>', end);
      if (close < 0) isCdataOver = true;
      else token.lastIndex = close + 3;
    } else if (slash === '/') {
      const opening = open.get(name);
      if (opening === undefined) continue;
      open.delete(name);
      tags.push({ name, inside: text.slice(opening.insideStart, start), ...opening, end });
    } else if (selfClosing === '/') {
      tags.push({ name, inside: '', insideStart: end, start, end });
    } else {
      open.set(name, { start, insideStart: end });
    }
  }
  return tags.sort((a, b) => a.start - b.start);
}

/** Returns the tags of a text from left to right, without nested tags. */
export function scanTags(text: string): Tag[] {
  return keepOutermost(pairTags(text));
}

/** Returns the tags that are not nested. @param tags tags in the order in which they start */
export function keepOutermost(tags: readonly Tag[]): Tag[] {
  let end = 0;
  return tags.filter((tag) => {
    if (tag.start < end) return false;
    end = tag.end;
    return true;
  });
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** Returns the text inside a tag: CDATA sections literally, everything else without white space at the ends. */
export function readInside(inside: string): string {
  const trimmed = inside.trim();
  let said = '';
  for (let at = 0; at < trimmed.length;) {
    const end = trimmed.startsWith(CDATA, at) ? trimmed.indexOf(CDATA_END, at) : -1;
    if (end < 0) return trimmed;
    said += trimmed.slice(at + CDATA.length, end);
    at = end + CDATA_END.length;
  }
  return said;
}

/** Writes a text as the inside of the tag `name`, so that {@link readInside} returns it unchanged. */
function writeInside(name: string, text: string): string {
  const isPlain = text === text.trim() && ![CDATA, `</${name}`, `<${name}`].some((special) => text.includes(special));
  return isPlain ? text : `${CDATA}${text.replaceAll(CDATA_END, `]]${CDATA_END}${CDATA}>`)}${CDATA_END}`;
}

/** Writes texts in tags of the given names, one after the other. */
export function writeTags(texts: readonly (readonly [name: string, text: string])[]): string {
  return texts.map(([name, text]) => `<${name}>${writeInside(name, text)}</${name}>`).join(' ');
}
