/** The body of `tauflow compare`: the runs are read as `report` reads them, and shown side by side. */

import {
  compareMany,
  compareRuns,
  comparisonToMarkdown,
  manyToJson,
  manyToMarkdown,
  type ComparedRun,
} from '../../results/compare/index.ts';
import { comparisonToJson } from '../../results/log/index.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { printJson } from '../print-report.ts';
import { styleOf, type TerminalStyle } from '../terminal/style.ts';
import { readSubjects } from './read-subjects.ts';
import { renderMany } from './render-many.ts';
import { renderComparison } from './render.ts';

export interface CompareFlags {
  readonly logDir: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly allowDifferent?: boolean;
  readonly failOnRegression?: boolean;
}

export async function compareSubjects(
  subjects: readonly string[],
  flags: CompareFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (subjects.length < 2) throw new UsageError('compare takes two runs or more: name the run to compare with too.');
  const runs = await readSubjects(subjects, flags.logDir, context);
  const [first, second] = runs;
  const isWorse =
    runs.length === 2 && first !== undefined && second !== undefined
      ? showTwo(first, second, flags, context)
      : showMany(runs, flags, context);
  return isWorse && flags.failOnRegression === true ? ExitCode.Failed : ExitCode.Done;
}

/** @returns whether the later one is worse */
function showTwo(before: ComparedRun, after: ComparedRun, flags: CompareFlags, context: CliContext): boolean {
  const comparison = compareRuns(before, after, { allowDifferent: flags.allowDifferent === true });
  refuse(`${before.runId} and ${after.runId}`, comparison.incomparable);
  print(flags, context, {
    json: () => comparisonToJson(comparison),
    markdown: () => comparisonToMarkdown(comparison),
    table: (style) => renderComparison(comparison, style),
  });
  return comparison.verdict === 'regression';
}

/** @returns whether any of them is worse than the first */
function showMany(runs: readonly ComparedRun[], flags: CompareFlags, context: CliContext): boolean {
  const comparison = compareMany(runs, { allowDifferent: flags.allowDifferent === true });
  refuse('the runs', comparison.incomparable);
  print(flags, context, {
    json: () => manyToJson(comparison),
    markdown: () => manyToMarkdown(comparison),
    table: (style) => renderMany(comparison, style),
  });
  return comparison.pairs.some(({ before, decision }) => before === runs[0]?.runId && decision === 'worse');
}

function refuse(which: string, reason: string | null): void {
  if (reason === null) return;
  throw new UsageError(
    `${which} cannot be compared, because ${reason}; tasks of one number are the same task only in the same pack and ` +
      'split. --allow-different compares them by their numbers all the same.',
  );
}

interface Forms {
  readonly json: () => object;
  readonly markdown: () => string;
  readonly table: (style: TerminalStyle) => string;
}

function print({ json, format }: CompareFlags, context: CliContext, forms: Forms): void {
  if (json === true || format === 'json') printJson(forms.json(), context);
  else if (format === 'markdown') context.out(forms.markdown());
  else context.out(forms.table(styleOf(context.stdout, context.env)));
}
