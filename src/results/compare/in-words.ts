/** What a comparison comes to, as sentences for a page that shows several runs. Pure. */

import { compareRuns, type CompareOptions } from './compare.ts';
import { tradeSentence } from './cost-lines.ts';
import { compareMany } from './many.ts';
import { manySentences } from './many-lines.ts';
import type { ComparedRun } from './run.ts';
import { headline } from './sentence.ts';

/** @param runs in the order given; empty for fewer than two. Runs of other tasks are told to be incomparable. */
export function comparisonInWords(runs: readonly ComparedRun[], options: CompareOptions = {}): string[] {
  const [before, after, ...others] = runs;
  if (before === undefined || after === undefined) return [];
  if (others.length > 0) {
    const many = compareMany(runs, options);
    return [...many.warnings, ...manySentences(many)];
  }
  const pair = compareRuns(before, after, options);
  const trade = tradeSentence(pair);
  return [...pair.warnings, `${after.runId}: ${headline(pair).join('')}.`, ...(trade === null ? [] : [trade])];
}
