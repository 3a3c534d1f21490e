/**
 * One codec for each stored JSON document, derived from its schema. A schema has the program's spelling; in the file the
 * same names are snake_case. Keys of records (`z.record`) are data and stay as they are.
 */

import * as z from 'zod';

import { JsonError, PyFloat, dumpJson, isDict, parseJson, type PyDict } from '../benchmarks/python/index.ts';
import { ResultsError, ResultsProblem } from './files.ts';

/** An object that an agent or a pack wrote: its numbers keep their spelling, and its keys their order. */
export const dictSchema = z.custom<PyDict>((value) => value instanceof Map, 'must be an object');

/** A number that is a float to Python: a lossless document has `1.0` where it is whole. */
export const floatSchema = z.number();

/** A document's version, of which this program reads one. */
export function formatVersion<const N extends number>(version: N) {
  return z.literal(version, `must be ${version}: another version of Tauflow wrote the file`);
}

const OWN_KEYS = new WeakSet<z.core.$ZodType>();

/** Marks a schema whose keys are those of another program's format: they are the same in the file. */
export function withOwnKeys<T extends z.core.$ZodType>(schema: T): T {
  OWN_KEYS.add(schema);
  return schema;
}

export interface DocumentCodec<T> {
  /** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
  readonly read: (text: string) => T;
  readonly write: (document: T) => string;
}

/**
 * Codec of documents whose numbers are JavaScript's.
 * @param schema may have less than the file: other fields are left out when reading, and kept when writing
 */
export function jsonCodec<T>(schema: z.ZodType<T>): DocumentCodec<T> {
  return {
    read: (text) => parseDocument(schema, () => JSON.parse(text) as unknown),
    write: (document) => `${JSON.stringify(toFile(document, schema), null, 2)}\n`,
  };
}

/** Codec of documents with dicts and floats: written as Python writes JSON, with an indent of two. */
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

/** Returns the first thing a schema found wrong, in a few words: `reward: Invalid input: expected number, …`. */
export function describeMismatch(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not of the expected shape';
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

/** A file's value in the program's spelling, as plain objects and numbers; where the schema has a dict, it stays one. */
export function fromFile(value: unknown, schema: z.core.$ZodType): unknown {
  return mapValue(value, schema, {
    rename: (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    leaf: (leaf, at) => {
      if (leaf instanceof PyFloat) return leaf.value;
      if (typeof leaf === 'bigint') return Number(leaf);
      return isDict(leaf as PyDict) && !(at instanceof z.ZodCustom) ? OPEN : leaf;
    },
  });
}

/** A value of the program in the file's spelling, with {@link floatSchema}'s numbers as floats, for `dumpJson`. */
export function toLossless(value: unknown, schema: z.core.$ZodType): object {
  return mapValue(value, schema, {
    rename: toSnake,
    leaf: (leaf, at) => (typeof leaf === 'number' && isFloat(at) ? new PyFloat(leaf) : leaf),
  }) as object;
}

function isFloat(schema: z.core.$ZodType | undefined): boolean {
  return schema === floatSchema || (schema instanceof z.ZodUnion && schema.options.includes(floatSchema));
}

/** A value of the program in the file's spelling. */
function toFile(value: unknown, schema: z.core.$ZodType): unknown {
  return mapValue(value, schema, { rename: toSnake, leaf: (leaf) => leaf });
}

function toSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface Mapping {
  readonly rename: (key: string) => string;
  /** Maps what is no list and no plain object; {@link OPEN} for a dict to be mapped as a plain object. */
  readonly leaf: (value: unknown, schema: z.core.$ZodType | undefined) => unknown;
}

const OPEN = Symbol('open');

/** @param schema undefined where the schema says nothing of the value */
function mapValue(value: unknown, schema: z.core.$ZodType | undefined, mapping: Mapping, hasOwnKeys = false): unknown {
  const shape = shapeOf(schema);
  const keepsKeys = hasOwnKeys || shape.hasOwnKeys;
  if (Array.isArray(value)) {
    return value.map((element: unknown) => mapValue(element, shape.element, mapping, keepsKeys));
  }
  let fields: Iterable<[string, unknown]>;
  if (isPlainObject(value)) fields = Object.entries(value);
  else {
    const mapped = mapping.leaf(value, shape.at);
    if (mapped !== OPEN) return mapped;
    fields = value as PyDict;
  }
  const isRecord = shape.isRecord || (shape.at === undefined && isPairs(fields));
  return Object.fromEntries(
    Array.from(fields, ([key, item]) => {
      const renamed = isRecord || keepsKeys ? key : mapping.rename(key);
      // The schema has the program's names, whichever of the two is the file's.
      const ofField = shape.field(key) ?? shape.field(renamed);
      return [renamed, mapValue(item, ofField, mapping, keepsKeys)];
    }),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !(value instanceof PyFloat);
}

/** Facts on a schema for mapping its values. */
interface Shape {
  /** The schema without wrappers. */
  readonly at: z.core.$ZodType | undefined;
  readonly hasOwnKeys: boolean;
  readonly isRecord: boolean;
  readonly element: z.core.$ZodType | undefined;
  /** Schema of an object's field: of a union, from the first of its objects that has such a field. */
  readonly field: (name: string) => z.core.$ZodType | undefined;
}

const NO_SHAPE: Shape = {
  at: undefined,
  hasOwnKeys: false,
  isRecord: false,
  element: undefined,
  field: () => undefined,
};

/** Schemas are asked once, as zod's `instanceof` takes longer than the mapping. */
const SHAPES = new WeakMap<z.core.$ZodType, Shape>();

function shapeOf(schema: z.core.$ZodType | undefined): Shape {
  if (schema === undefined) return NO_SHAPE;
  let shape = SHAPES.get(schema);
  if (shape === undefined) {
    const at = withoutWrappers(schema);
    shape = {
      at,
      hasOwnKeys: OWN_KEYS.has(schema) || OWN_KEYS.has(at),
      isRecord: at instanceof z.ZodRecord,
      element: at instanceof z.ZodArray ? at.element : undefined,
      field: fieldsOf(at),
    };
    SHAPES.set(schema, shape);
  }
  return shape;
}

function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  let at = schema;
  while (
    at instanceof z.ZodOptional ||
    at instanceof z.ZodExactOptional ||
    at instanceof z.ZodNullable ||
    at instanceof z.ZodDefault ||
    at instanceof z.ZodCatch ||
    at instanceof z.ZodReadonly
  ) {
    at = at.def.innerType;
  }
  return at;
}

function fieldsOf(schema: z.core.$ZodType): Shape['field'] {
  if (schema instanceof z.ZodObject) {
    const fields = new Map<string, z.core.$ZodType>(Object.entries(schema.shape));
    return (name) => fields.get(name);
  }
  if (schema instanceof z.ZodRecord) return () => schema.valueType;
  if (!(schema instanceof z.ZodUnion)) return NO_SHAPE.field;
  return (name) => {
    for (const option of schema.options) {
      const found = shapeOf(option).field(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/**
 * Distinguishes pairs of names from fields in what the schema says nothing of, such as the options of a strategy: renamed tools
 * are keyed by names that are not ours.
 */
function isPairs(fields: Iterable<[string, unknown]>): boolean {
  const items = Array.from(fields, ([, item]) => item);
  return items.length > 0 && items.every((item) => typeof item === 'string');
}

/** Fields whose objects are keyed by names that are not ours to respell: packages, roles. */
const FREE_KEYED_FIELDS: ReadonlySet<string> = new Set([
  'versions',
  'agentModel',
  'userModel',
  'judgeModel',
  'roleModels',
  'maxCompletionTokens',
]);

/** A document that is only written, and so has no schema, in the file's spelling: `maxSteps` → `max_steps`. */
export function snakeKeys(value: unknown): unknown {
  return respell(value, () => false);
}

function respell(value: unknown, isFree: (fields: [string, unknown][]) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, isFree));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value);
  if (isFree(fields)) return value;
  return Object.fromEntries(
    fields.map(([key, item]) => [
      toSnake(key),
      FREE_KEYED_FIELDS.has(key) ? item : respell(item, key === 'strategyOptions' ? isPairs : isFree),
    ]),
  );
}
