/**
 * Checks Python values against zod schemas, with one sentence per problem, and the shape of tools. Extra keys are
 * allowed everywhere.
 */

import * as z from 'zod';
import { jsonPath } from '../index.ts';
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

/** Most problems to report, because a table may have a thousand equal mistakes. */
const MAX_PROBLEMS = 20;

/** A JSON file's text and value. */
export interface JsonFile {
  readonly text: string;
  readonly value: PyValue;
}

/**
 * Returns the value as plain JavaScript, which is exact enough to check shapes, but not to work with. JavaScript's own
 * parser is twice as fast, but does not accept NaN and infinities as Python does.
 */
export function toPlainJson({ text, value }: JsonFile): unknown {
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

/** @returns the problems; none if the file is valid */
export function checkShape(where: string, file: JsonFile, schema: z.ZodType): PackProblem[] {
  const result = schema.safeParse(toPlainJson(file));
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_PROBLEMS).map((issue) => `${where}: ${describeIssue(issue, file.value)}.`);
}

function describeIssue(issue: z.core.$ZodIssue, root: PyValue): string {
  const where = issue.path.length === 0 ? 'the file' : jsonPath(issue.path);
  const found = valueAt(root, issue.path);
  if (found === undefined && issue.path.length > 0) return `${where} is missing; it must be ${expectation(issue)}`;
  const wrongKind = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return wrongKind
    ? `${where} is ${describeKind(found)}; it must be ${expectation(issue)}`
    : `${where} ${issue.message}`;
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

function describeKind(value: PyValue | undefined): string {
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
