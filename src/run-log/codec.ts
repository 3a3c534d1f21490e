/** One codec for each stored JSON document, derived from its schema. */

import * as z from 'zod';

import { JsonError, dumpJson, parseJson } from '../benchmarks/python/index.ts';
import {
  describeMismatch,
  fromFile,
  isPairs,
  isPlainObject,
  toFile,
  toLossless,
  toSnake,
} from '../benchmarks/python/values.schema.ts';
import { ResultsError, ResultsProblem } from './files.ts';

/** Returns the schema of a document's version, the only one that this program reads. */
export function formatVersion<const N extends number>(version: N) {
  return z.literal(version, `must be ${version}: another version of Tauflow wrote the file`);
}

export interface DocumentCodec<T> {
  /** @throws ResultsError (`malformed`) if the text is truncated or has another shape */
  readonly read: (text: string) => T;
  readonly write: (document: T) => string;
}

/**
 * Creates the codec of documents with JavaScript's numbers.
 * @param schema unknown fields are dropped in reading, but not in writing
 */
export function jsonCodec<T>(schema: z.ZodType<T>): DocumentCodec<T> {
  return {
    read: (text) => parseDocument(schema, () => JSON.parse(text) as unknown),
    write: (document) => `${JSON.stringify(toFile(document, schema), null, 2)}\n`,
  };
}

/** Creates the codec of documents with dicts and floats, written in Python's form of JSON with an indent of two. */
export function losslessCodec<T>(schema: z.ZodType<T>): DocumentCodec<T> {
  return {
    read: (text) => parseDocument(schema, () => parseJson(text)),
    write: (document) => `${dumpJson(toLossless(document, schema), { indent: 2 })}\n`,
  };
}

function parseDocument<T>(schema: z.ZodType<T>, parse: () => unknown): T {
  let value: unknown;
  try {
    value = parse();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof JsonError)) throw error;
    throw new ResultsError(ResultsProblem.Malformed, `not complete JSON (${error.message})`, { cause: error });
  }
  const parsed = schema.safeParse(fromFile(value, schema));
  if (parsed.success) return parsed.data;
  throw new ResultsError(ResultsProblem.Malformed, describeMismatch(parsed.error), { cause: parsed.error });
}

/** Fields whose objects have arbitrary keys (packages, roles), which are not renamed. */
const FREE_KEYED_FIELDS: ReadonlySet<string> = new Set([
  'versions',
  'agentModel',
  'userModel',
  'judgeModel',
  'roleModels',
  'maxCompletionTokens',
]);

/** Converts the names in a document that is only written, and so has no schema: `maxSteps` → `max_steps`. */
export function snakeKeys(value: unknown): unknown {
  return respellValue(value, () => false);
}

function respellValue(value: unknown, isFree: (fields: [string, unknown][]) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => respellValue(item, isFree));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value);
  if (isFree(fields)) return value;
  return Object.fromEntries(
    fields.map(([key, item]) => [
      toSnake(key),
      FREE_KEYED_FIELDS.has(key) ? item : respellValue(item, key === 'strategyOptions' ? isPairs : isFree),
    ]),
  );
}
