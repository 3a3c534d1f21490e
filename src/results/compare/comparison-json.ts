/** A comparison as `comparison.json` and `--json` have it: field names in snake_case. Pure. */

import { ResultsError, ResultsProblem } from '../errors.ts';
import { camelKeys, snakeKeys } from '../plain.ts';
import { describeMismatch } from '../record.ts';
import type { Comparison } from './compare.ts';
import { COMPARISON_FORMAT_VERSION, comparisonSchema, type WrittenComparison } from './comparison.schema.ts';

export type { WrittenComparison };

/** How the interval was made, for whoever reads the file alone. */
const METHOD = 'paired bootstrap over tasks, 10000 resamples, bias-corrected and accelerated';

export function comparisonToJson(comparison: Comparison): object {
  return snakeKeys({ formatVersion: COMPARISON_FORMAT_VERSION, method: METHOD, ...comparison }) as object;
}

export function writeComparison(comparison: Comparison): string {
  return `${JSON.stringify(comparisonToJson(comparison), null, 2)}\n`;
}

/** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
export function readComparison(text: string): WrittenComparison {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ResultsError(ResultsProblem.Malformed, `not complete JSON (${(error as Error).message})`, {
      cause: error,
    });
  }
  const parsed = comparisonSchema.safeParse(camelKeys(value));
  if (parsed.success) return parsed.data;
  throw new ResultsError(ResultsProblem.Malformed, describeMismatch(parsed.error), { cause: parsed.error });
}
