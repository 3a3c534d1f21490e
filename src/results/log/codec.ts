/** The JSON documents of a run log: names are snake_case in the file, and the program's own in memory. */

import type { z } from 'zod';
import { ResultsError, ResultsProblem } from './files.ts';
import { PyFloat, isDict, isList, type PyValue } from '../../benchmark/python/index.ts';

export function writeDocument(document: object): string {
  return `${JSON.stringify(snakeKeys(document), null, 2)}\n`;
}

/** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
export function readDocument<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ResultsError(ResultsProblem.Malformed, `not complete JSON (${(error as Error).message})`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(camelKeys(value));
  if (parsed.success) return parsed.data;
  throw new ResultsError(ResultsProblem.Malformed, describeMismatch(parsed.error), { cause: parsed.error });
}

/** Fields whose objects stay lossless wherever they occur. */
const LOSSLESS_FIELDS: ReadonlySet<string> = new Set(['kwargs', 'outputs']);

/** Plain objects, arrays and numbers, but for the objects in {@link LOSSLESS_FIELDS}. */
export function toPlain(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (isDict(value)) return Object.fromEntries(Array.from(value, ([key, item]) => [key, toPlainField(key, item)]));
  if (isList(value)) return value.map(toPlain);
  return value;
}

function toPlainField(key: string, value: PyValue): unknown {
  return LOSSLESS_FIELDS.has(key) && isDict(value) ? value : toPlain(value);
}

/** Marks the numbers of the named fields as floats, so that a reward of one is written `1.0`. */
export function withFloats(value: unknown, floatFields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withFloats(item, floatFields));
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof PyFloat) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      typeof item === 'number' && floatFields.has(key) ? new PyFloat(item) : withFloats(item, floatFields),
    ]),
  );
}

/** Fields whose objects are keyed by names that are not ours to respell: packages, roles. */
const FREE_KEYED_FIELDS: ReadonlySet<string> = new Set([
  'versions',
  'roleModels',
  'role_models',
  'maxCompletionTokens',
  'max_completion_tokens',
]);

/** `maxSteps` → `max_steps`, in every key of plain objects but those of {@link FREE_KEYED_FIELDS}. */
export function snakeKeys(value: unknown): unknown {
  return mapKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** `max_steps` → `maxSteps`, likewise. */
export function camelKeys(value: unknown): unknown {
  return mapKeys(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

type Rename = (key: string) => string;

function mapKeys(value: unknown, rename: Rename, isFree: (item: object) => boolean = () => false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename, isFree));
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof PyFloat) return value;
  if (isFree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      rename(key),
      FREE_KEYED_FIELDS.has(key) ? item : mapKeys(item, rename, OPTION_FIELDS.has(key) ? isPairs : isFree),
    ]),
  );
}

/** The first thing a schema found wrong, in a few words: `reward: Invalid input: expected number, …`. */
export function describeMismatch(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not of the expected shape';
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

/** Options of strategies, whose pairs of names are keyed by names that are not ours either. */
const OPTION_FIELDS: ReadonlySet<string> = new Set(['strategyOptions', 'strategy_options']);

function isPairs(value: object): boolean {
  const items: unknown[] = Object.values(value);
  return items.length > 0 && items.every((item) => typeof item === 'string');
}
