/**
 * Schemas of JSON documents with Python's values, and their conversion. A schema has the program's names; the file has
 * the same names in snake_case. Keys of records (`z.record`) are data and are not changed.
 */

import * as z from 'zod';

import { PyFloat, isDict, type PyDict } from './value.ts';

/** An object from an agent or a pack. Its numbers keep their spelling, and its keys their order. */
export const dictSchema = z.custom<PyDict>((value) => value instanceof Map, 'must be an object');

/** A number that Python reads as a float: a lossless document has `1.0` for 1. */
export const floatSchema = z.number();

const OWN_KEYS = new WeakSet<z.core.$ZodType>();

/** Marks a schema whose keys belong to another program's format, and are the same in the file. */
export function withOwnKeys<T extends z.core.$ZodType>(schema: T): T {
  OWN_KEYS.add(schema);
  return schema;
}

/** Returns the first problem of a mismatch, in a few words: `reward: Invalid input: expected number, …`. */
export function describeMismatch(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not of the expected shape';
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

/** Converts a file's value to the program's names, as plain objects and numbers; a dict in the schema stays a dict. */
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

/**
 * Converts a value of the program to the file's names, with {@link floatSchema}'s numbers as floats, for `dumpJson`.
 */
export function toLossless(value: unknown, schema: z.core.$ZodType): object {
  return mapValue(value, schema, {
    rename: toSnake,
    leaf: (leaf, at) => (typeof leaf === 'number' && isFloat(at) ? new PyFloat(leaf) : leaf),
  }) as object;
}

function isFloat(schema: z.core.$ZodType | undefined): boolean {
  return schema === floatSchema || (schema instanceof z.ZodUnion && schema.options.includes(floatSchema));
}

/** Converts a value of the program to the file's names. */
export function toFile(value: unknown, schema: z.core.$ZodType): unknown {
  return mapValue(value, schema, { rename: toSnake, leaf: (leaf) => leaf });
}

export function toSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface Mapping {
  readonly rename: (key: string) => string;
  /** Maps a value that is neither a list nor a plain object; {@link OPEN} maps a dict as a plain object. */
  readonly leaf: (value: unknown, schema: z.core.$ZodType | undefined) => unknown;
}

const OPEN = Symbol('open');

/** @param schema undefined if the schema does not describe the value */
function mapValue(value: unknown, schema: z.core.$ZodType | undefined, mapping: Mapping, hasOwnKeys = false): unknown {
  const shape = findShape(schema);
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
      // The schema has the program's names in both directions.
      const ofField = shape.field(key) ?? shape.field(renamed);
      return [renamed, mapValue(item, ofField, mapping, keepsKeys)];
    }),
  );
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !(value instanceof PyFloat);
}

/** Facts on a schema for mapping its values. */
interface Shape {
  /** The schema without its wrappers. */
  readonly at: z.core.$ZodType | undefined;
  readonly hasOwnKeys: boolean;
  readonly isRecord: boolean;
  readonly element: z.core.$ZodType | undefined;
  /** Returns the schema of an object's field; for a union, from its first object with such a field. */
  readonly field: (name: string) => z.core.$ZodType | undefined;
}

const NO_SHAPE: Shape = {
  at: undefined,
  hasOwnKeys: false,
  isRecord: false,
  element: undefined,
  field: () => undefined,
};

/** Caches the shapes, because zod's `instanceof` takes longer than the mapping. */
const SHAPES = new WeakMap<z.core.$ZodType, Shape>();

function findShape(schema: z.core.$ZodType | undefined): Shape {
  if (schema === undefined) return NO_SHAPE;
  let shape = SHAPES.get(schema);
  if (shape === undefined) {
    const at = withoutWrappers(schema);
    shape = {
      at,
      hasOwnKeys: OWN_KEYS.has(schema) || OWN_KEYS.has(at),
      isRecord: at instanceof z.ZodRecord,
      element: at instanceof z.ZodArray ? at.element : undefined,
      field: createFieldLookup(at),
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

function createFieldLookup(schema: z.core.$ZodType): Shape['field'] {
  if (schema instanceof z.ZodObject) {
    const fields = new Map<string, z.core.$ZodType>(Object.entries(schema.shape));
    return (name) => fields.get(name);
  }
  if (schema instanceof z.ZodRecord) return () => schema.valueType;
  if (!(schema instanceof z.ZodUnion)) return NO_SHAPE.field;
  return (name) => {
    for (const option of schema.options) {
      const found = findShape(option).field(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/**
 * Distinguishes pairs of names from fields in values without a schema, such as the options of a strategy. Keys of
 * renamed tools are names of the pack.
 */
export function isPairs(fields: Iterable<[string, unknown]>): boolean {
  const items = Array.from(fields, ([, item]) => item);
  return items.length > 0 && items.every((item) => typeof item === 'string');
}
