/** The body of `tauflow report`: what the subject is, and its figures in the form asked for. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { reportOfFile, reportOfRun } from '../../results/load-report.ts';
import { reportToMarkdown } from '../../results/report-markdown.ts';
import type { Report } from '../../results/report.ts';
import type { RunLog } from '../../results/run-log.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, UsageError } from '../failures.ts';
import { openLog } from '../open-log.ts';
import { printReport, verdict } from '../print-report.ts';

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

/** A results file, a run's folder, or the id of a run in the log folder: whichever is there. */
async function readSubject(
  subject: string,
  logDir: string,
  { cwd }: CliContext,
): Promise<{ report: Report; log: RunLog | null }> {
  const path = resolve(cwd, subject);
  const isPath = /[\\/]/.test(subject) || subject.endsWith('.json');
  if (existsSync(path) && (isPath || statSync(path).isFile())) {
    if (statSync(path).isFile()) return { report: await reportOfFile(path), log: null };
    const log = openLog(basename(path), dirname(path), cwd);
    return { report: await reportOfRun(log), log };
  }
  if (isPath) {
    throw new UsageError(`there is no results file ${subject}; give the path of one, or the id of a run.`);
  }
  const log = openLog(subject, logDir, cwd);
  return { report: await reportOfRun(log), log };
}
