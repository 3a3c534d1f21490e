/**
 * The exact command syntax: a command's name, then parameters in XML tags.
 *
 * Values are taken as they stand, without entity decoding: models write `A & B`, not `A &amp; B`.
 */

import { dumpJson } from '../../../../bench/python/json.ts';
import { isList, type PyValue } from '../../../../bench/python/value.ts';
import type { CommandDefinition } from '../../catalogue/types.ts';
import type { RawParameters } from '../types.ts';
import { parseLiteral } from './literal.ts';

export interface CommandText {
  /** The first token up to white space, `(` or `<`, in lower case. */
  readonly name: string;
  /** What follows it. */
  readonly rest: string;
}

interface Tag {
  readonly name: string;
  readonly inside: string;
}

export function splitCommand(text: string): CommandText {
  const trimmed = text.trim();
  const name = /^[^\s(<]*/.exec(trimmed)?.[0] ?? '';
  return { name: name.toLowerCase(), rest: trimmed.slice(name.length) };
}

/**
 * @param rest what follows the command's name
 * @param isCommand tells names of commands: tags after a further command do not belong to this one
 */
export function readTags(
  command: CommandDefinition,
  rest: string,
  isCommand: (name: string) => boolean,
): RawParameters {
  const tags = scanTags(rest, isCommand).flatMap((tag) => unwrap(tag, command));
  const parameters = new Map<string, string | readonly string[]>();
  for (const field of command.fields) {
    const named = tags.filter((tag) => tag.name === field.name);
    const own = named.length === 0 && command.fields.length === 1 ? tags.slice(0, 1) : named;
    const first = own[0];
    if (first === undefined) continue;
    const value = field.type === 'list' ? own.flatMap((tag) => readList(tag.inside)) : first.inside.trim();
    parameters.set(field.name, value);
  }
  return parameters;
}

function scanTags(rest: string, isCommand: (name: string) => boolean): Tag[] {
  const tags: Tag[] = [];
  let end = 0;
  for (const match of rest.matchAll(/<([A-Za-z_][\w.-]*)\s*(?:\/>|>([\s\S]*?)<\/\1\s*>)/g)) {
    const lines = rest.slice(end, match.index).split('\n').slice(1);
    if (lines.some((line) => isCommand(splitCommand(line).name))) break;
    tags.push({ name: match[1] ?? '', inside: match[2] ?? '' });
    end = match.index + match[0].length;
  }
  return tags;
}

/** Models sometimes wrap all parameters in one more tag. */
function unwrap(tag: Tag, command: CommandDefinition): Tag[] {
  const isField = (name: string) => command.fields.some((field) => field.name === name);
  if (isField(tag.name)) return [tag];
  const inner = scanTags(tag.inside, () => false);
  return inner.some((candidate) => isField(candidate.name)) ? inner : [tag];
}

/** A list as a JSON array, a Python list, or items set apart by commas, else by spaces. */
export function readList(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const literal = /^[[(]/.test(trimmed) ? parseLiteral(trimmed.replace(/^\(([\s\S]*)\)$/, '[$1]')) : undefined;
  if (isList(literal)) return literal.map(itemText);
  const bare = trimmed.replace(/^[[(]/, '').replace(/[\])]$/, '');
  const separator = bare.includes(',') ? ',' : /["']/.test(bare) ? null : /\s+/;
  const items = separator === null ? [bare] : bare.split(separator);
  return items.map((item) => unquote(item.trim())).filter((item) => item !== '');
}

function itemText(item: PyValue): string {
  return typeof item === 'string' ? item.trim() : dumpJson(item);
}

function unquote(text: string): string {
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2').trim();
}

/** The command as text, the inverse of reading it; list values as JSON arrays. */
export function writeCommand(name: string, parameters: ReadonlyMap<string, PyValue>): string {
  const tags = Array.from(parameters, ([field, value]) => {
    return `<${field}>${typeof value === 'string' ? value : dumpJson(value)}</${field}>`;
  });
  return [name, ...tags].join(' ');
}
