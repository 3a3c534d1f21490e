/**
 * The shapes of a pack's JSON files, and the check of a Python value against a zod schema, with one sentence per
 * problem. Extra keys are allowed everywhere: the tables belong to the domain.
 */

import * as z from 'zod';
import { domains, jsonPath, type Shape } from '../index.ts';
import { PyFloat, isDict, isList, type PyValue } from '../python/index.ts';
import { listWords, type PackProblem } from './types.ts';

const text = z.string();
const filledText = z.string().regex(/\S/, 'is empty; it must have a text');

export const toolsSchema = z
  .array(
    z.looseObject({
      type: z.literal('function'),
      function: z.looseObject({
        name: filledText,
        description: text,
        parameters: z.looseObject({ type: z.literal('object'), properties: z.record(text, z.unknown()) }),
      }),
    }),
  )
  .min(1, 'is empty; a pack needs at least one tool');

export const textListSchema = z.array(text);

export const tasksSchema = z
  .array(
    z.looseObject({
      user_id: filledText,
      instruction: filledText,
      actions: z.array(z.looseObject({ name: filledText, kwargs: z.record(text, z.unknown()) })),
      outputs: z.array(text),
    }),
  )
  .min(1, 'is empty; a split needs at least one task');

const withMark = (mark: string): z.ZodType =>
  text.refine((value) => value.includes(mark), `must contain ${mark}, the place where the text goes`);

export const userPromptsSchema = z.looseObject({
  first_user_message: filledText,
  strategies: z.record(
    text,
    z.looseObject({ system_prompt: withMark('{instruction}'), system_prompt_without_instruction: filledText }),
  ),
  verify_prompt: text.optional(),
  reflect_prompt: text.optional(),
});

export const agentPromptsSchema = z.looseObject({ act_instruction: filledText, react_instruction: filledText });

/** A table's records by key. Tables that the domain does not describe must at least be objects of objects. */
export function tableSchema(domain: string, table: string): z.ZodType {
  const shapes = domains.get(domain)?.shapes ?? {};
  const shape = Object.hasOwn(shapes, table) ? shapes[table] : undefined;
  return z.record(text, shape === undefined ? z.record(text, z.unknown()) : schemaOf(shape));
}

function schemaOf(shape: Shape): z.ZodType {
  if (shape === 'text') return text;
  if (shape === 'number') return z.number();
  if (shape === 'boolean') return z.boolean();
  if ('listOf' in shape) return z.array(schemaOf(shape.listOf));
  if ('mapOf' in shape) return z.record(text, schemaOf(shape.mapOf));
  const entries = (fields: Readonly<Record<string, Shape>>, wrap: (schema: z.ZodType) => z.ZodType) =>
    Object.entries(fields).map(([name, field]) => [name, wrap(schemaOf(field))] as const);
  return z.looseObject(
    Object.fromEntries([
      ...entries(shape.fields, (schema) => schema),
      ...entries(shape.optional ?? {}, (schema) => schema.optional()),
    ]),
  );
}

/** A thousand equal mistakes in a table need not all be reported. */
const MAX_PROBLEMS = 20;

/** A JSON file as it is read. */
export interface JsonFile {
  readonly text: string;
  readonly value: PyValue;
}

/**
 * The value as JavaScript reads it: exact enough to check shapes, too coarse to work with. JavaScript's own parser makes
 * it in half the time, but knows neither NaN nor the infinities, which Python reads.
 */
export function plainOf({ text, value }: JsonFile): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return toPlain(value);
  }
}

function toPlain(value: PyValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof PyFloat) return value.value;
  if (isList(value)) return value.map(toPlain);
  if (isDict(value)) return Object.fromEntries(Array.from(value, ([key, item]) => [key, toPlain(item)]));
  return value;
}

/** @returns the problems, none when the file fits */
export function checkShape(where: string, file: JsonFile, schema: z.ZodType): PackProblem[] {
  const result = schema.safeParse(plainOf(file));
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_PROBLEMS).map((issue) => `${where}: ${describeIssue(issue, file.value)}.`);
}

function describeIssue(issue: z.core.$ZodIssue, root: PyValue): string {
  const where = issue.path.length === 0 ? 'the file' : jsonPath(issue.path);
  const found = valueAt(root, issue.path);
  if (found === undefined && issue.path.length > 0) return `${where} is missing; it must be ${expectation(issue)}`;
  const wrongKind = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return wrongKind ? `${where} is ${kindOf(found)}; it must be ${expectation(issue)}` : `${where} ${issue.message}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value')
    return listWords(
      issue.values.map((value) => JSON.stringify(value)),
      'or',
    );
  if (issue.code !== 'invalid_type') return 'there';
  const nouns: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return nouns[issue.expected] ?? `a ${issue.expected}`;
}

function kindOf(value: PyValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'a string';
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return 'a list';
  if (isDict(value)) return 'an object';
  return 'a number';
}

function valueAt(root: PyValue, path: readonly PropertyKey[]): PyValue | undefined {
  let value: PyValue | undefined = root;
  for (const step of path) {
    if (isList(value) && typeof step === 'number') value = value[step];
    else if (isDict(value)) value = value.get(String(step));
    else return undefined;
  }
  return value;
}
