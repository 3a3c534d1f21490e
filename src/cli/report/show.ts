/** The body of `tauflow report`: what the subject is, and its figures in the form asked for. */

import { reportOfFile, reportOfRun } from '../../results/load-report.ts';
import { reportToMarkdown } from '../../results/report-markdown.ts';
import type { Report } from '../../results/report.ts';
import type { RunLog } from '../../results/run-log.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, UsageError } from '../failures.ts';
import { printReport, verdict } from '../print-report.ts';
import { findSubject } from '../subject.ts';

export interface ReportFlags {
  readonly logDir: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly failUnder?: string;
}

export async function showReport(subject: string, flags: ReportFlags, context: CliContext): Promise<ExitCode> {
  const failUnder = flags.failUnder === undefined ? undefined : Number(flags.failUnder);
  if (failUnder !== undefined && !(flags.failUnder?.trim() !== '' && failUnder >= 0 && failUnder <= 1)) {
    throw new UsageError('--fail-under must be a number from 0 to 1.');
  }
  const { report, log } = await readSubject(subject, flags.logDir, context);
  if (flags.format === 'markdown' && flags.json !== true) context.out(reportToMarkdown(report));
  else printReport(report, log, flags.json === true || flags.format === 'json', context);
  return verdict(report, failUnder, context);
}

async function readSubject(
  subject: string,
  logDir: string,
  { cwd }: CliContext,
): Promise<{ report: Report; log: RunLog | null }> {
  const found = findSubject(subject, logDir, cwd);
  if (found.kind === 'file') return { report: await reportOfFile(found.path), log: null };
  return { report: await reportOfRun(found.log), log: found.log };
}
