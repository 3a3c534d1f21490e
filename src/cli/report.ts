/** `tauflow report RUN|FILE`: the table and figures of a run log, or of any tau-bench results file. */

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { resolveLogDir } from '../results/paths.ts';
import { reportRun } from '../results/publish-run.ts';
import { reportToMarkdown } from '../results/report-markdown.ts';
import { buildReport, subjectOfFile, type Report } from '../results/report.ts';
import { readResultsFile } from '../results/results-reader.ts';
import { rowOfEntry } from '../results/rows.ts';
import { checkRunId } from '../results/run-id.ts';
import { RunLog } from '../results/run-log.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './failures.ts';
import { printReport, verdict } from './print-report.ts';

interface Flags {
  readonly logDir: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly failUnder?: string;
}

export function addReportCommand(program: Command, context: CliContext): void {
  program
    .command('report')
    .description('show the results of a run, or of any tau-bench results file')
    .argument('<run|file>', 'a run id, or the path of a results file')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .addOption(
      new Option('--format <format>', 'form of the report').choices(['table', 'json', 'markdown']).default('table'),
    )
    .option('--json', 'short for --format json')
    .option('--fail-under <share>', 'exit with 1 when the average reward is lower')
    .action(async (subject: string, flags: Flags) => {
      const failUnder = flags.failUnder === undefined ? undefined : Number(flags.failUnder);
      if (failUnder !== undefined && !(failUnder >= 0 && failUnder <= 1)) {
        throw new UsageError('--fail-under must lie between 0 and 1.');
      }
      const { report, log } = await readSubject(subject, flags.logDir, context);
      if (flags.format === 'markdown') context.out(reportToMarkdown(report));
      else printReport(report, log, flags.json === true || flags.format === 'json', context);
      process.exitCode = verdict(report, failUnder);
    });
}

/** A run of the log folder, else a results file. */
async function readSubject(
  subject: string,
  logDir: string,
  { cwd }: CliContext,
): Promise<{ report: Report; log: RunLog | null }> {
  const file = resolve(cwd, subject);
  if (subject.endsWith('.json') && existsSync(file)) {
    const entries = await readResultsFile(file);
    return { report: buildReport(subjectOfFile(basename(file)), entries.map(rowOfEntry)), log: null };
  }
  const log = openLog(subject, logDir, cwd);
  return { report: await reportRun(log), log };
}

/** @throws UsageError when there is no such run */
export function openLog(runId: string, logDir: string, cwd: string): RunLog {
  const log = new RunLog({ runId: checkRunId(runId), logDir: resolveLogDir(logDir, cwd) });
  if (existsSync(log.paths.folder)) return log;
  throw new UsageError(
    `there is no run ${runId} in ${log.logDir}; \`tauflow list\` shows those there are, --log-dir names another folder.`,
  );
}
