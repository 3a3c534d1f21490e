/** Shows a report: tables for people, one JSON document for programs; and what it means for the exit code. */

import { snakeKeys } from '../results/plain.ts';
import { reportToJson } from '../results/report-json.ts';
import type { Report } from '../results/report.ts';
import type { RunLog } from '../results/run-log.ts';
import type { CliContext } from './context.ts';
import { ExitCode } from './failures.ts';
import { styleOf } from './terminal/style.ts';
import { renderReport } from './terminal/tables.ts';

export function printJson(document: unknown, context: CliContext): void {
  context.out(JSON.stringify(document, null, 2));
}

export function printReport(report: Report, log: RunLog | null, json: boolean, context: CliContext): void {
  if (json) {
    const files = log === null ? {} : { files: { results: log.paths.results, runLog: log.paths.folder } };
    printJson({ ...reportToJson(report), ...(snakeKeys(files) as object) }, context);
    return;
  }
  context.out(renderReport(report, styleOf(context.stdout, context.env)));
  if (log === null) return;
  context.out(`results  ${log.paths.results}\nrun log  ${log.paths.folder}`);
}

/** 1 when episodes ended in an infrastructure error, or the average reward is below the threshold asked for. */
export function verdict(report: Report, failUnder: number | undefined, context: CliContext): ExitCode {
  const { outcomes, errorsAsFailures } = report.metrics;
  const broken = outcomes.infrastructure_error ?? 0;
  const average = errorsAsFailures.averageReward ?? 0;
  const isBelow = failUnder !== undefined && average < failUnder;
  if (broken > 0) {
    const episodes = broken === 1 ? '1 episode' : `${broken} episodes`;
    context.log(`${episodes} ended in an infrastructure error; taking the run up again repeats them`);
  }
  if (isBelow) context.log(`the average reward ${average.toFixed(3)} is below --fail-under ${failUnder}`);
  return broken > 0 || isBelow ? ExitCode.Failed : ExitCode.Done;
}
