/** `tauflow report RUN|FILE…`: tables, figures and exports of run logs, or of any tau-bench results files. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addHelpSections } from '../help.ts';
import { FAIL_IF_HELP } from '../../run-setup/options/index.ts';
import { collect } from '../options/flags.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import {
  type ReportFlags,
  type ReportFormat,
  readGates,
  readFormat,
  readReports,
  readTemporalUi,
  type ReadReport,
} from './read.ts';
import { dirname, join } from 'node:path';
import { resolveLogPlace } from '../../run-log/index.ts';
import { reportsToCsv, reportsToJunit } from '../../results/export/index.ts';
import { renderMarkdown, type Document } from '../../results/document/index.ts';
import { firstScreen, reportToMarkdown, withGates } from '../../results/report/index.ts';
import { ExitCode } from '../../errors/index.ts';
import { reportJson, reportRetirements, reportText, verdict } from './print.ts';
import { outputFolder } from '../run-log.ts';
import { writeOutput } from './output.ts';
import { renderTerminal } from '../terminal/render.ts';
import { DEFAULT_COLUMNS, chooseStyle, type TerminalStyle } from '../terminal/style.ts';
import { htmlReport } from '../../viewer/index.ts';
import { uiOfRun } from '../find-run.ts';
import { addScoreFlags } from '../recorded.ts';
import { presentComparison, type ComparedRun, type PresentedComparison } from '../../results/compare/index.ts';

const FORMATS = ['table', 'json', 'markdown', 'csv', 'junit', 'html'] as const satisfies readonly ReportFormat[];

const HELP = {
  'Formats, in which several runs are reported one after the other and then compared:': [
    [
      'table',
      'the first screen: scores with confidence intervals, errors, faults, worst tasks, cost; --all: everything',
    ],
    ['markdown', 'the same for an issue, a comment or a wiki'],
    ['json', 'all data, for programs'],
    ['csv', 'one row per episode, for spreadsheets and data frames'],
    ['junit', 'one test case per episode, for CI'],
    ['html', 'one page with every conversation, for a browser without a network'],
  ],
} as const;

export function defineReportCommand(command: Command, context: CliContext): void {
  command
    .argument('<run|file...>', 'run ids, folders of runs, or paths of results files')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .addOption(new Option('--format <format>', 'format of the report').choices(FORMATS).default('table'))
    .option('--all', 'with table and markdown: everything, not only the first screen')
    .option('--json', 'short for --format json')
    .option('--output <file>', 'write to a file; - is stdout (default: stdout; html: <log-dir>/<run>.html)')
    .option('--env <env>', 'domain of a results file, to analyze why its episodes failed')
    .option('--task-split <split>', 'split of its tasks (default: test)')
    .option('--pack <folder|name>', "domain pack (default: a run's own; the one with the file's tasks)")
    .option('--temporal-ui <url>', "address for links of the HTML page (default: the UI of the run's server)")
    .option('--as-trials', 'read several results files as trials of one run, in their order')
    .option('--fail-under <share>', 'exit with 1 if the average reward is lower (0 to 1)')
    .option('--fail-if <gate>', FAIL_IF_HELP, collect);
  addScoreFlags(command).action(async (subjects: string[], flags: ReportFlags) => {
    context.end(await showReports(subjects, flags, context));
  });
  addHelpSections(command, HELP);
}

/** @throws UsageError, PackError, ResultsError for an unreadable subject, and for a file that cannot be written */
async function showReports(subjects: readonly string[], flags: ReportFlags, context: CliContext): Promise<ExitCode> {
  const gates = readGates(flags);
  readTemporalUi(flags);
  const format = readFormat(flags);
  const read = (await readReports(subjects, flags, context)).map((each) => ({
    ...each,
    report: withGates(each.report, gates),
  }));
  const output = flags.output ?? (format === 'html' ? defaultPage(read, flags, context) : '-');
  if (format === 'html') {
    await writeOutput(output, formatPage(read, await compareReports(read, context), flags, context), context);
  } else {
    const style =
      output === '-' ? chooseStyle(context.stdout, context.env) : { columns: DEFAULT_COLUMNS, color: false };
    await writeOutput(output, onePiece(await formatReports(read, format, flags.all === true, style, context)), context);
  }
  for (const { report, manifest } of read) await reportRetirements(report, manifest?.config, context);
  const codes = read.map((each) => verdict(each.report, findReportLog(each), context));
  return codes.find((code) => code !== ExitCode.Done) ?? ExitCode.Done;
}

async function formatReports(
  read: readonly ReadReport[],
  format: Exclude<ReportFormat, 'html'>,
  all: boolean,
  style: TerminalStyle,
  context: CliContext,
): Promise<string> {
  const reports = read.map(({ report }) => report);
  switch (format) {
    case 'csv':
      return reportsToCsv(reports);
    case 'junit':
      return reportsToJunit(reports);
    case 'json':
      return `${JSON.stringify(toReportDocument(read, await compareReports(read, context)), null, 2)}\n`;
    case 'markdown':
      return joinTexts(
        reports.map((report) => (all ? reportToMarkdown(report) : renderMarkdown(firstScreen(report)))),
        await compareReports(read, context),
        renderMarkdown,
      );
    case 'table':
      return joinTexts(
        read.map((each) => reportText(each.report, findReportLog(each), all, style, context)),
        await compareReports(read, context),
        (document) => renderTerminal(document, style),
      );
  }
}

/** Returns the JSON document of all reports; a single report is the document itself. */
function toReportDocument(read: readonly ReadReport[], comparison: PresentedComparison | null): object {
  const documents = read.map((each) => reportJson(each.report, findReportLog(each)));
  const [only] = documents;
  if (comparison === null && only !== undefined) return only;
  return { reports: documents, comparison: comparison?.json ?? null };
}

function findReportLog(read: ReadReport) {
  return read.kind === 'run' ? read.log : null;
}

function joinTexts(
  texts: readonly string[],
  comparison: PresentedComparison | null,
  render: (document: Document) => string,
): string {
  const all = comparison === null ? texts : [...texts, render(comparison.document)];
  return `${all.map((text) => text.trimEnd()).join('\n\n')}\n`;
}

async function* onePiece(text: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(text);
}

/** Yields the HTML page in pieces, because thousands of episodes make it large. */
async function* formatPage(
  read: readonly ReadReport[],
  comparison: PresentedComparison | null,
  flags: ReportFlags,
  context: CliContext,
): AsyncGenerator<string, void, undefined> {
  const uiUrl = readTemporalUi(flags) ?? (await findRunUi(read, context));
  yield* htmlReport(read, { uiUrl, comparison });
}

/**
 * Returns the default path beside the results: `<log-dir>/mine.html`, `<log-dir>/a-vs-b.html`,
 * `<log-dir>/a-and-3-more.html`.
 */
function defaultPage(read: readonly ReadReport[], { logDir }: ReportFlags, context: CliContext): string {
  const [first, ...others] = read;
  const names = read.map(({ report }) => report.subject.runId.replaceAll(/[\\/]+/g, '-'));
  const name = others.length > 1 ? `${names[0] ?? ''}-and-${String(others.length)}-more` : names.join('-vs-');
  const folder =
    first?.kind === 'file'
      ? dirname(first.path)
      : outputFolder(first?.log.logDir ?? resolveLogPlace(logDir, context.cwd), context);
  return join(folder, `${name}.html`);
}

/** Returns the first known Temporal UI, because compared runs usually ran on one server. */
async function findRunUi(read: readonly ReadReport[], context: CliContext): Promise<string | null> {
  for (const { manifest } of read) {
    const url = await uiOfRun(manifest, context);
    if (url !== null) return url;
  }
  return null;
}

/** @returns null for one report; for incomparable runs, a comparison with only the reason */
async function compareReports(
  reports: readonly ReadReport[],
  context: CliContext,
): Promise<PresentedComparison | null> {
  const runs = await Promise.all(reports.map((report) => comparedRun(report, context)));
  return runs.length < 2 ? null : presentComparison(runs);
}

async function comparedRun(read: ReadReport, context: CliContext): Promise<ComparedRun> {
  const { kind, report, manifest } = read;
  const { subject, episodes: rows } = report;
  const links = { hasRecords: kind === 'run', uiUrl: await uiOfRun(manifest, context) };
  const benchmark = read.kind === 'file' ? read.benchmark : null;
  return { runId: subject.runId, rows, manifest, benchmark, ...links };
}
