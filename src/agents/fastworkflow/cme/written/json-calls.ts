/**
 * Commands that are written as JSON, as models do whose other tools are called so: `{"name": …, "arguments": {…}}`,
 * under any of the keys that are common for it, in lists and in objects around it.
 */

import { dumpJson, isDict, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Catalogue, CommandDefinition } from '../../catalogue/types.ts';
import { parseLiteral, stringEnd } from '../parameters/literal.ts';
import { writeTags, type Range } from '../parameters/tags.ts';

/** A JSON object within a text. */
export interface JsonObject extends Range {
  readonly value: PyDict;
}

export interface JsonCall {
  readonly name: string;
  /** The arguments as the tags that they stand for. A function, because only the first call's are ever needed. */
  readonly rest: () => string;
}

const NAME_KEYS = ['name', 'command', 'command_name', 'tool', 'tool_name', 'function', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'kwargs', 'params', 'input', 'tool_input', 'action_input'];
/** Opening braces that are tried although no object ends where one should: each costs a pass over the text. */
const MAX_FAILURES = 8;
/** A call may be an element of a list in an object, and so on, to this depth. */
const MAX_DEPTH = 6;

/**
 * The outermost JSON objects of a text, from left to right.
 * @param isOpaque a position that is passed over
 */
export function findObjects(text: string, isOpaque: (at: number) => boolean): JsonObject[] {
  const objects: JsonObject[] = [];
  let failures = 0;
  for (let at = text.indexOf('{'); at >= 0 && failures < MAX_FAILURES;) {
    const end = isOpaque(at) ? undefined : objectEnd(text, at);
    const value = end === undefined ? undefined : parseLiteral(text.slice(at, end));
    if (end !== undefined && isDict(value)) objects.push({ start: at, end, value });
    else if (!isOpaque(at)) failures++;
    at = text.indexOf('{', isDict(value) && end !== undefined ? end : at + 1);
  }
  return objects;
}

/** Counts braces outside of strings in double quotes. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  const special = /[{}"]/g;
  special.lastIndex = start;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    if (match[0] === '"') {
      const end = stringEnd(text, match.index);
      if (end === undefined) return undefined;
      special.lastIndex = end;
      continue;
    }
    depth += match[0] === '{' ? 1 : -1;
    if (depth === 0) return special.lastIndex;
  }
  return undefined;
}

/**
 * The calls in a JSON value, in their order.
 * @param inText reads a command that is written out as the value of a name key
 */
export function findCalls(
  catalogue: Catalogue,
  value: PyValue,
  inText: (text: string) => readonly JsonCall[],
): JsonCall[] {
  const calls: JsonCall[] = [];
  const visit = (item: PyValue, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (isList(item)) for (const element of item) visit(element, depth + 1);
    if (!isDict(item)) return;
    const own = callsOf(catalogue, item, inText);
    for (const call of own) calls.push(call);
    if (own.length === 0) for (const element of item.values()) visit(element, depth + 1);
  };
  visit(value, 0);
  return calls;
}

function callsOf(
  catalogue: Catalogue,
  dict: PyDict,
  inText: (text: string) => readonly JsonCall[],
): readonly JsonCall[] {
  for (const key of NAME_KEYS) {
    const name = dict.get(key);
    if (typeof name !== 'string') continue;
    const command = catalogue.find(name.trim());
    if (command !== undefined) return [{ name: command.name, rest: () => argumentTags(command, dict, key) }];
    const written = inText(name);
    if (written.length > 0) return written;
  }
  return [];
}

/**
 * The arguments in an object as tags: those under one of the usual keys, else the fields of the command.
 * @param nameKey the key that holds the command's name, if any does
 */
export function argumentTags({ fields }: CommandDefinition, object: PyDict, nameKey?: string): string {
  for (const key of ARGUMENT_KEYS) {
    const given = object.get(key);
    if (isDict(given)) return toTags(given);
    if (typeof given !== 'string') continue;
    const parsed = parseLiteral(given);
    return isDict(parsed) ? toTags(parsed) : given;
  }
  const entries = [...object].filter(([name]) => name !== nameKey);
  if (nameKey === undefined && fields.length === 1 && entries.length === 1) return toTags(object);
  return toTags(new Map(entries.filter(([name]) => fields.some((field) => field.name === name))));
}

/** An argument that is `null` is not given. */
function toTags(parameters: PyDict): string {
  const given = [...parameters].filter(([name, value]) => value !== null && /^[A-Za-z_][\w.-]*$/.test(name));
  return writeTags(given.map(([name, value]) => [name, typeof value === 'string' ? value : dumpJson(value)]));
}
