/** Replaces a benchmark's names of tools, parameters and fields, in schemas, texts and observations. */

import { JsonError, isDict, isList, parseJson, type PyValue } from '../benchmarks/python/index.ts';
import type { Names, ToolSchema } from './port.ts';

/** Matches the words of a name: `getOrder`, `order_id`, `address1`. */
const WORDS = /[A-Z]?[a-z]+|[A-Z]+/g;

/** Matches ids of records, which have more digits than names. */
const ID = /\d{3}/;

export function wordsIn(name: string): string[] {
  return (name.match(WORDS) ?? []).map((word) => word.toLowerCase());
}

export function rename(name: string, names: Names): string {
  if (ID.test(name)) return name;
  if (Object.hasOwn(names, name)) return names[name] ?? name;
  return name.replace(WORDS, (word) => withCaseOf(word, renameWord(word.toLowerCase(), names)));
}

function renameWord(word: string, names: Names): string {
  if (Object.hasOwn(names, word)) return names[word] ?? word;
  const single = word.slice(0, -1);
  return word.endsWith('s') && Object.hasOwn(names, single) ? `${names[single]}s` : word;
}

function withCaseOf(word: string, other: string): string {
  if (word === word.toLowerCase()) return other;
  return word.length > 1 && word === word.toUpperCase()
    ? other.toUpperCase()
    : other.charAt(0).toUpperCase() + other.slice(1);
}

const inverses = new WeakMap<Names, Names>();

/** Returns the inverse names, which restore the benchmark's. */
export function invert(names: Names): Names {
  const known = inverses.get(names) ?? Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
  inverses.set(names, known);
  return known;
}

/** Renames the keys of all objects in a value. */
export function renameKeys(value: PyValue, names: Names): PyValue {
  if (isList(value)) return value.map((item) => renameKeys(item, names));
  if (!isDict(value)) return value;
  return new Map([...value].map(([key, item]) => [rename(key, names), renameKeys(item, names)]));
}

/** Matches keys of objects in JSON, and words in the spelling of program names. */
const KEYS_IN_JSON = /"((?:[^"\\]|\\.)*)"(\s*:)?/g;
const NAMES_IN_TEXT =
  /"[A-Za-z][\w-]*"(?=\s*:)|(?<=[`'])[a-z]+(?=[`'])|\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+/g;

/**
 * Replaces names in a tool's observation: the keys of JSON, which keeps its spelling; in any other text, words in the
 * spelling of names.
 */
export function renameInAnswer(answer: string, names: Names): string {
  if (!isJson(answer)) return renameInText(answer, names);
  return answer.replace(KEYS_IN_JSON, (whole, key: string, colon: string | undefined) =>
    colon === undefined ? whole : `"${rename(key, names)}"${colon}`,
  );
}

export function renameInText(text: string, names: Names): string {
  return text.replace(NAMES_IN_TEXT, (name) =>
    name.startsWith('"') ? `"${rename(name.slice(1, -1), names)}"` : rename(name, names),
  );
}

function isJson(text: string): boolean {
  try {
    const value = parseJson(text);
    return isDict(value) || isList(value);
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

export function renameTool(tool: ToolSchema, names: Names): ToolSchema {
  const { name, description, parameters, ...others } = tool.function;
  return {
    ...tool,
    function: {
      ...others,
      name: rename(name, names),
      ...(description === undefined ? {} : { description: renameInText(description, names) }),
      ...(parameters === undefined ? {} : { parameters: renameSchema(parameters, names) as typeof parameters }),
    },
  };
}

/** Returns a JSON Schema with other names of properties, at every level. */
function renameSchema(schema: unknown, names: Names): unknown {
  if (Array.isArray(schema)) return schema.map((item) => renameSchema(item, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => {
      if (key === 'properties' && typeof value === 'object' && value !== null) {
        const properties = Object.entries(value).map(([name, property]: [string, unknown]) => [
          rename(name, names),
          renameSchema(property, names),
        ]);
        return [key, Object.fromEntries(properties)];
      }
      if (key === 'required' && Array.isArray(value)) {
        return [key, value.map((name: unknown) => (typeof name === 'string' ? rename(name, names) : name))];
      }
      if (key === 'description' && typeof value === 'string') return [key, renameInText(value, names)];
      return [key, key === 'enum' || key === 'const' || key === 'default' ? value : renameSchema(value, names)];
    }),
  );
}

/** Returns the names of properties in a schema, at every level. */
export function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'enum' || key === 'const' || key === 'default') return [];
    const own = key === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : [];
    return [...own, ...propertiesIn(value)];
  });
}
