/** Compares runs in the sentences of the command `compare`; the view shows the figures itself. */

import {
  compareMany,
  compareRuns,
  comparisonDocument,
  manyDocument,
  summarizeComparison,
  summarizeMany,
  type ComparedRun,
} from '../../results/compare/index.ts';
import { Refusal } from '../../io/index.ts';
import type { ComparedInWords } from '../data/api.ts';
import type { ReadSubject } from './run.ts';

/** Most runs to compare, because each pair takes a bootstrap. */
const MOST_COMPARED = 8;

/** @throws Refusal for fewer than two runs, and for too many */
export function compareInWords(subjects: readonly ReadSubject[]): ComparedInWords {
  const runs = subjects.map(comparedRun);
  const [first, second] = runs;
  if (first === undefined || second === undefined || runs.length > MOST_COMPARED) {
    throw new Refusal(400, `name 2 to ${MOST_COMPARED} runs to compare: ?run=a&run=b`);
  }
  if (runs.length === 2) {
    const comparison = compareRuns(first, second);
    return {
      sentences: summarizeComparison(comparison),
      document: comparison.incomparable === null ? comparisonDocument(comparison) : [],
      settings: comparison.settings,
    };
  }
  const comparison = compareMany(runs);
  return {
    sentences: [...summarizeMany(comparison), ...comparison.warnings],
    document: comparison.incomparable === null ? manyDocument(comparison) : [],
    settings: comparison.settings,
  };
}

function comparedRun({ report, manifest }: ReadSubject): ComparedRun {
  return {
    runId: report.subject.runId,
    rows: report.episodes,
    conditionRows: report.conditions.flatMap(({ rows }) => rows),
    manifest,
  };
}
