/** Holds a Python value against a zod schema and tells what is wrong in one sentence a problem. */

import type { z } from 'zod';
import { PyFloat, isDict, isList, type PyValue } from '../benchmark/python/index.ts';
import { jsonPath } from '../benchmark/index.ts';
import { listWords, type PackProblem } from './problem.ts';

/** A thousand equal mistakes in a table need not all be told. */
const MAX_PROBLEMS = 20;

/** What JavaScript would have read: exact enough to look at shapes, too coarse to work with. */
export function toPlain(value: PyValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof PyFloat) return value.value;
  if (isList(value)) return value.map(toPlain);
  if (isDict(value)) return Object.fromEntries(Array.from(value, ([key, item]) => [key, toPlain(item)]));
  return value;
}

/** @returns the problems, none when the value fits */
export function checkShape(file: string, value: PyValue, schema: z.ZodType): PackProblem[] {
  const result = schema.safeParse(toPlain(value));
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_PROBLEMS).map((issue) => `${file}: ${describeIssue(issue, value)}.`);
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
