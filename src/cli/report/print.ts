/** Prints a report, as text or as one JSON document, and decides the exit code. */

import { snakeKeys, type RunLog } from '../../run-log/index.ts';
import {
  allEpisodes,
  describeMissing,
  findFrequentError,
  firstScreen,
  reportDocument,
  reportToJson,
  type Report,
} from '../../results/report/index.ts';
import { describeFailures } from '../../results/gates/index.ts';
import { facts, formatAmount } from '../../results/document/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { retirementWarnings } from '../../models/index.ts';
import type { EvaluationConfig } from '../../evaluation/index.ts';
import { ExitCode } from '../../errors/index.ts';
import { TAU_BENCH } from '../../results/metrics/index.ts';
import { formatReportCommand, formatResumeCommand, formatViewCommand } from '../run-log.ts';
import { chooseStyle, type TerminalStyle } from '../terminal/style.ts';
import { renderTerminal } from '../terminal/render.ts';

/** Describes unfinished episodes: `1 has no result and 2 were cancelled`. */
function describeUnfinished({ missing, cancelled }: Report['unfinished']): string {
  const parts = [
    ...(missing === 0 ? [] : [`${String(missing)} ${missing === 1 ? 'has' : 'have'} no result`]),
    ...(cancelled === 0 ? [] : [`${String(cancelled)} ${cancelled === 1 ? 'was' : 'were'} cancelled`]),
  ];
  return parts.join(' and ');
}

export function printReport(
  report: Report,
  log: RunLog | null,
  { json, all }: { readonly json: boolean; readonly all: boolean },
  context: CliContext,
): void {
  if (json) printJson(reportJson(report, log), context);
  else context.out(reportText(report, log, all, chooseStyle(context.stdout, context.env), context));
}

/** Returns the report as a JSON document, with the paths of its files. */
export function reportJson(report: Report, log: RunLog | null): object {
  const files = log === null ? {} : { files: { results: log.shown.results, runLog: log.shown.folder } };
  return { ...reportToJson(report), ...(snakeKeys(files) as object) };
}

/** Returns the report as text, with the paths of its files; its first screen lists commands that show more. */
export function reportText(
  report: Report,
  log: RunLog | null,
  all: boolean,
  style: TerminalStyle,
  context: CliContext,
): string {
  const document = all ? reportDocument(report) : firstScreen(report);
  if (log === null) return renderTerminal(document, style);
  const places = facts([
    ['page', all ? null : formatReportCommand(log, context, '--format', 'html')],
    ['view', all ? null : formatViewCommand(log, context)],
    ['details', all ? null : formatReportCommand(log, context, '--all')],
    ['results', log.shown.results],
    ['run log', log.shown.folder],
  ]);
  return renderTerminal([...document, places], style).trimEnd();
}

/**
 * Returns 1 if episodes ended in an infrastructure error, an ended run lacks episodes, or a gate failed.
 * @param log log of the run, for the command that resumes it; null if only a results file is known
 */
export function verdict(report: Report, log: RunLog | null, context: CliContext): ExitCode {
  const { subject, unfinished } = report;
  const broken = unfinished.infrastructureErrors;
  const missing = subject.status === 'running' ? 0 : unfinished.missing + unfinished.cancelled;
  const failures = describeFailures(report.gates);
  const isLacking = missing > 0 || report.missing.length > 0;
  if (broken > 0) context.log(describeBroken(report, broken));
  if (report.missing.length > 0) {
    const resume = log === null ? '' : `; resume the run with: ${formatResumeCommand(log, context)}`;
    context.log(`error: the run is incomplete: ${describeMissing(report.missing)}${resume}`);
  } else if (missing > 0) {
    context.log(
      `the run is incomplete: of ${formatAmount(subject.planned ?? 0, 'episode')}, ${describeUnfinished(unfinished)}`,
    );
  }
  for (const failure of failures) context.log(failure);
  return broken > 0 || isLacking || failures.length > 0 ? ExitCode.Failed : ExitCode.Done;
}

/** Reports retired or soon retired models of a run with infrastructure errors, because they may be the cause. */
export async function reportRetirements(
  { metrics }: Report,
  config: EvaluationConfig | undefined,
  context: CliContext,
): Promise<void> {
  if (config === undefined || (metrics.outcomes.infrastructure_error ?? 0) === 0) return;
  for (const warning of await retirementWarnings(config, context.home, new Date())) context.log(warning);
}

/** Describes episodes that infrastructure ended. Advises resuming only if the same error would not occur again. */
function describeBroken(report: Report, broken: number): string {
  const many = formatAmount(broken, 'episode');
  if (report.metrics.countedAs !== TAU_BENCH && report.subject.status === null)
    return `${many} ended in an infrastructure error or without a score`;
  const episodes = allEpisodes(report);
  const error = findFrequentError(episodes);
  const ended = episodes.length - report.unfinished.cancelled;
  const isWhole = broken > 1 && broken === ended && error?.count === broken;
  const { strategy } = report.subject;
  // A corrected agent file is another agent, with which this run cannot be resumed.
  if (strategy !== null && error?.count === broken && error.message.startsWith(`the agent ${strategy} `)) {
    return `${many} ended in the same error of the agent itself: correct its file, and start a new run`;
  }
  if (isWhole) return `all ${many} ended in the same infrastructure error: fix its cause, then resume the run`;
  return `${many} ended in an infrastructure error; resume the run to repeat them`;
}
