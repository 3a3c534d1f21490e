/** The body of `tauflow compare`: both runs are read as `report` reads them, and shown side by side. */

import { basename } from 'node:path';
import { compareRuns, type ComparedRun } from '../../results/compare/compare.ts';
import { comparisonToJson } from '../../results/compare/comparison-json.ts';
import { comparisonToMarkdown } from '../../results/compare/markdown.ts';
import { readResultsFile } from '../../results/results-reader.ts';
import { rowOfEntry } from '../../results/rows.ts';
import { readComparedRun } from '../../results/nights.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../failures.ts';
import { printJson } from '../print-report.ts';
import { findSubject } from '../subject.ts';
import { styleOf } from '../terminal/style.ts';
import { renderComparison } from './render.ts';

export interface CompareFlags {
  readonly logDir: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly failOnRegression?: boolean;
}

export async function compareSubjects(
  a: string,
  b: string,
  flags: CompareFlags,
  context: CliContext,
): Promise<ExitCode> {
  const [before, after] = [await readSubject(a, flags, context), await readSubject(b, flags, context)];
  const comparison = compareRuns(before, after);
  if (comparison.incomparable !== null) {
    throw new UsageError(
      `${before.runId} and ${after.runId} cannot be compared, because ${comparison.incomparable}; ` +
        'tasks of one number are the same task only in the same pack and split.',
    );
  }
  if (flags.json === true || flags.format === 'json') printJson(comparisonToJson(comparison), context);
  else if (flags.format === 'markdown') context.out(comparisonToMarkdown(comparison));
  else context.out(renderComparison(comparison, styleOf(context.stdout, context.env)));
  const isWorse = comparison.verdict === 'regression';
  return isWorse && flags.failOnRegression === true ? ExitCode.Failed : ExitCode.Done;
}

async function readSubject(subject: string, { logDir }: CompareFlags, context: CliContext): Promise<ComparedRun> {
  const found = findSubject(subject, logDir, context.cwd);
  if (found.kind === 'run') return readComparedRun(found.log, (problem) => context.log(`warning: ${problem}`));
  const rows = (await readResultsFile(found.path)).map(rowOfEntry);
  return { runId: basename(found.path, '.json'), rows, manifest: null };
}
