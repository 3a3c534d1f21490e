/** Shows a report: tables for people, one JSON document for programs; and what it means for the exit code. */

import { reportToJson } from '../results/report-json.ts';
import type { Report } from '../results/report.ts';
import type { RunLog } from '../results/run-log.ts';
import type { CliContext } from './context.ts';
import { ExitCode } from './failures.ts';
import { styleOf } from './terminal/style.ts';
import { renderReport } from './terminal/tables.ts';

export function printReport(report: Report, log: RunLog | null, json: boolean, context: CliContext): void {
  if (json) {
    context.out(JSON.stringify(reportToJson(report), null, 2));
    return;
  }
  context.out(renderReport(report, styleOf(process.stdout, context.env)));
  if (log === null) return;
  context.out(`\nresults  ${log.paths.results}\nrun log  ${log.paths.folder}`);
}

/** 1 when episodes ended in an infrastructure error, or the average reward is below the threshold asked for. */
export function verdict(report: Report, failUnder: number | undefined): ExitCode {
  const { outcomes, errorsAsFailures } = report.metrics;
  if ((outcomes.infrastructure_error ?? 0) > 0) return ExitCode.Failed;
  const average = errorsAsFailures.averageReward ?? 0;
  return failUnder !== undefined && average < failUnder ? ExitCode.Failed : ExitCode.Done;
}
