/** The small JSON documents of a run log: names are snake_case in the file, and the program's own in memory. */

import type { z } from 'zod';
import { ResultsError, ResultsProblem } from './errors.ts';
import { camelKeys, snakeKeys } from './plain.ts';
import { describeMismatch } from './record.ts';

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
