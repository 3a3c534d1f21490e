/** Shows a report: tables for people, one JSON document for programs; and what it means for the exit code. */

import { snakeKeys, type RunLog } from '../results/log/index.ts';
import { episodes, missingSentence, reportToJson, type Report } from '../results/report/index.ts';
import type { CliContext } from './context.ts';
import { ExitCode } from '../errors/index.ts';
import { takeUpCommand } from './open-log.ts';
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

/**
 * 1 when episodes ended in an infrastructure error, a run that has ended lacks episodes, or the average reward is below
 * the threshold asked for or unknown.
 * @param log names the command that resumes the run; null where only a results file is known
 */
export function verdict(
  report: Report,
  log: RunLog | null,
  failUnder: number | undefined,
  context: CliContext,
): ExitCode {
  const { subject, metrics, unfinished } = report;
  const broken = metrics.outcomes.infrastructure_error ?? 0;
  const missing = subject.status === 'running' ? 0 : unfinished.missing + unfinished.cancelled;
  const average = metrics.errorsAsFailures.averageReward;
  const isBelow = failUnder !== undefined && (average ?? 0) < failUnder;
  const isLacking = missing > 0 || report.missing.length > 0;
  if (broken > 0) context.log(`${episodes(broken)} ended in an infrastructure error; resuming the run repeats them`);
  if (report.missing.length > 0) {
    const resume = log === null ? '' : `; resume the run with: ${takeUpCommand(log, context)}`;
    context.log(`error: the run is incomplete: ${missingSentence(report.missing)}${resume}`);
  } else if (missing > 0) {
    context.log(`the run is incomplete: ${String(missing)} of ${episodes(subject.planned ?? 0)} missing`);
  }
  if (isBelow) {
    const shown = average === null ? 'is unknown: not at least' : `${average.toFixed(3)} is below`;
    context.log(`the average reward ${shown} --fail-under ${failUnder}`);
  }
  return broken > 0 || isLacking || isBelow ? ExitCode.Failed : ExitCode.Done;
}
