/** How several reports compare, in the forms of `tauflow compare`; nothing for one alone. */

import {
  compareMany,
  compareRuns,
  comparisonInWords,
  comparisonToMarkdown,
  manySentences,
  manyToJson,
  manyToMarkdown,
  type ComparedRun,
  type Comparison,
  type ManyComparison,
} from '../../results/compare/index.ts';
import { comparisonToJson } from '../../results/log/index.ts';
import { renderMany } from '../compare/render-many.ts';
import { renderComparison } from '../compare/render.ts';
import type { CliContext } from '../context.ts';
import type { TerminalStyle } from '../terminal/style.ts';
import { uiOfRun } from '../ui-of-run.ts';
import type { ReadReport } from './read.ts';

export interface ComparedReports {
  table(style: TerminalStyle): string;
  markdown(): string;
  json(): object;
  /** For a page that has the figures anyway. */
  sentences(): readonly string[];
}

/** @returns null for one report; runs of other tasks are told to be incomparable, and their reports stand */
export async function compareReports(
  reports: readonly ReadReport[],
  context: CliContext,
): Promise<ComparedReports | null> {
  const runs = await Promise.all(reports.map((report) => comparedRun(report, context)));
  const [first, second] = runs;
  if (first === undefined || second === undefined) return null;
  return runs.length === 2 ? formsOfTwo(compareRuns(first, second)) : formsOfMany(compareMany(runs));
}

async function comparedRun({ kind, report, manifest }: ReadReport, context: CliContext): Promise<ComparedRun> {
  const { subject, episodes: rows } = report;
  const links = { hasRecords: kind === 'run', uiUrl: await uiOfRun(manifest, context) };
  return { runId: subject.runId, rows, manifest, ...links };
}

function formsOfTwo(comparison: Comparison): ComparedReports {
  return {
    table: (style) => renderComparison(comparison, style),
    markdown: () => comparisonToMarkdown(comparison),
    json: () => comparisonToJson(comparison),
    sentences: () => comparisonInWords(comparison),
  };
}

function formsOfMany(comparison: ManyComparison): ComparedReports {
  return {
    table: (style) => renderMany(comparison, style),
    markdown: () => manyToMarkdown(comparison),
    json: () => manyToJson(comparison),
    sentences: () => [...manySentences(comparison), ...comparison.warnings],
  };
}
