/** Compares runs in the sentences of the command `compare`; the view shows the figures itself. */

import { presentComparison, type ComparedRun } from '../../results/compare/index.ts';
import { Refusal } from '../../io/index.ts';
import type { ComparedInWords } from '../data/api.ts';
import type { ReadSubject } from './run.ts';

/** Most runs to compare, because each pair takes a bootstrap. */
const MOST_COMPARED = 8;

/** @throws Refusal for fewer than two runs, and for too many */
export function compareInWords(subjects: readonly ReadSubject[]): ComparedInWords {
  if (subjects.length < 2 || subjects.length > MOST_COMPARED) {
    throw new Refusal(400, `name 2 to ${MOST_COMPARED} runs to compare: ?run=a&run=b`);
  }
  const { incomparable, sentences, document, settings } = presentComparison(subjects.map(comparedRun));
  return { sentences, document: incomparable === null ? document : [], settings };
}

function comparedRun({ report, manifest }: ReadSubject): ComparedRun {
  return {
    runId: report.subject.runId,
    rows: report.episodes,
    conditionRows: report.conditions.flatMap(({ rows }) => rows),
    manifest,
  };
}
