/** A comparison of runs for its readers: of two runs with all evidence, of more in pairs. Pure. */

import { comparisonToJson } from '../../run-log/index.ts';
import type { Document } from '../document/index.ts';
import { compareMany, manyDocument, manyToJson, summarizeMany } from './compare-many.ts';
import { compareRuns, type Comparison, type CompareOptions } from './compare.ts';
import { comparisonDocument, summarizeComparison } from './document.ts';
import type { ComparedRun } from './runs.ts';

export interface PresentedComparison extends Pick<Comparison, 'incomparable' | 'settings' | 'gates'> {
  /** Result and warnings in sentences, for a page that shows the figures itself. */
  readonly sentences: readonly string[];
  readonly document: Document;
  readonly json: object;
  /** True if a later run is worse than the first. */
  readonly isRegression: boolean;
}

/** @param runs two runs or more with different ids, the earliest first */
export function presentComparison(runs: readonly ComparedRun[], options: CompareOptions = {}): PresentedComparison {
  const [first, second] = runs;
  if (runs.length === 2 && first !== undefined && second !== undefined) {
    const comparison = compareRuns(first, second, options);
    return {
      ...comparison,
      sentences: summarizeComparison(comparison),
      document: comparisonDocument(comparison),
      json: comparisonToJson(comparison),
      isRegression: comparison.verdict === 'regression',
    };
  }
  const comparison = compareMany(runs, options);
  return {
    ...comparison,
    gates: [],
    sentences: [...summarizeMany(comparison), ...comparison.warnings],
    document: manyDocument(comparison),
    json: manyToJson(comparison),
    isRegression: comparison.pairs.some(({ before, decision }) => before === first?.runId && decision === 'worse'),
  };
}
