/** What a comparison of two runs comes to, as sentences for a page that has the figures anyway. Pure. */

import type { Comparison } from './compare.ts';
import { tradeSentence } from './cost-lines.ts';
import { headline } from './sentence.ts';

/** The verdict first, as `manySentences` has it for several. */
export function comparisonInWords(comparison: Comparison): string[] {
  const trade = tradeSentence(comparison);
  return [
    `${comparison.run.runId}: ${headline(comparison).join('')}.`,
    ...(trade === null ? [] : [trade]),
    ...comparison.warnings,
  ];
}
