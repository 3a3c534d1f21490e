/** A comparison as `comparison.json` and `--json` have it: field names in snake_case. Pure. */

import { readDocument } from './document.ts';
import { snakeKeys } from './plain.ts';
import type { Comparison } from '../compare/index.ts';
import { COMPARISON_FORMAT_VERSION, comparisonSchema, type WrittenComparison } from './comparison.schema.ts';

export type { WrittenComparison };

/** How it was decided, and the interval made, for whoever reads the file alone. */
export const METHOD =
  'decided by a paired permutation test over tasks (signs of the differences) at 0.05; interval: paired bootstrap over ' +
  'tasks, 10000 resamples, bias-corrected and accelerated';

export function comparisonToJson(comparison: Comparison): object {
  return snakeKeys({ formatVersion: COMPARISON_FORMAT_VERSION, method: METHOD, ...comparison }) as object;
}

export function writeComparison(comparison: Comparison): string {
  return `${JSON.stringify(comparisonToJson(comparison), null, 2)}\n`;
}

/** @throws ResultsError (`malformed`) when the text is cut short or of another shape */
export function readComparison(text: string): WrittenComparison {
  return readDocument(text, comparisonSchema);
}
