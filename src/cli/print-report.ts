/** Shows a report: tables for people, one JSON document for programs; and what it means for the exit code. */

import { snakeKeys } from '../results/plain.ts';
import { reportToJson } from '../results/report/json.ts';
import type { Report } from '../results/report/report.ts';
import type { RunLog } from '../results/run-log.ts';
import type { CliContext } from './context.ts';
import { ExitCode } from './failures.ts';
import { styleOf, type TerminalStyle } from './terminal/style.ts';
import { renderReport } from './terminal/tables.ts';

export function printJson(document: unknown, context: CliContext): void {
  context.out(JSON.stringify(document, null, 2));
}

export function printReport(report: Report, log: RunLog | null, json: boolean, context: CliContext): void {
  if (json) printJson(reportDocument(report, log), context);
  else context.out(reportText(report, log, styleOf(context.stdout, context.env)));
}

/** One JSON document. */
export function reportDocument(report: Report, log: RunLog | null): object {
  const files = log === null ? {} : { files: { results: log.paths.results, runLog: log.paths.folder } };
  return { ...reportToJson(report), ...(snakeKeys(files) as object) };
}

/** For people, with the places of the files. */
export function reportText(report: Report, log: RunLog | null, style: TerminalStyle): string {
  const text = renderReport(report, style);
  return log === null ? text : `${text}\nresults  ${log.paths.results}\nrun log  ${log.paths.folder}`;
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
