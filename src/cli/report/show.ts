/** The body of `tauflow report`: what the subjects are, and their figures in the form asked for. */

import { dirname, resolve } from 'node:path';
import { makeFolders, writeFileAtomically } from '../../io/index.ts';
import { describeSystemError, systemErrorCode } from '../../results/log/index.ts';
import { reportsToCsv, reportsToJunit } from '../../results/export/index.ts';
import { reportToMarkdown } from '../../results/report/index.ts';
import { shownPath, type CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { reportDocument, reportText, verdict } from '../print-report.ts';
import { DEFAULT_COLUMNS, styleOf, type TerminalStyle } from '../terminal/style.ts';
import { compareReports, type ComparedReports } from './comparison.ts';
import { failUnderOf, formatOf, temporalUiOf, type ReportFlags, type ReportFormat } from './flags.ts';
import { defaultPage, pageOf } from './page.ts';
import { readReports, type ReadReport } from './read.ts';

/** @throws UsageError, PackError, ResultsError for what cannot be read, and for a file that cannot be written */
export async function showReports(
  subjects: readonly string[],
  flags: ReportFlags,
  context: CliContext,
): Promise<ExitCode> {
  const failUnder = failUnderOf(flags);
  temporalUiOf(flags);
  const format = formatOf(flags);
  const read = await readReports(subjects, flags, context);
  const output = flags.output ?? (format === 'html' ? defaultPage(read, flags, context) : '-');
  if (format === 'html') {
    await write(output, pageOf(read, await compareReports(read, context), flags, context), context);
  } else {
    const style = output === '-' ? styleOf(context.stdout, context.env) : { columns: DEFAULT_COLUMNS, color: false };
    await write(output, onePiece(await textOf(read, format, style, context)), context);
  }
  const codes = read.map((each) => verdict(each.report, logOf(each), failUnder, context));
  return codes.find((code) => code !== ExitCode.Done) ?? ExitCode.Done;
}

async function textOf(
  read: readonly ReadReport[],
  format: Exclude<ReportFormat, 'html'>,
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
      return `${JSON.stringify(documentOf(read, await compareReports(read, context)), null, 2)}\n`;
    case 'markdown':
      return joined(reports.map(reportToMarkdown), (await compareReports(read, context))?.markdown());
    case 'table':
      return joined(
        read.map((each) => reportText(each.report, logOf(each), style)),
        (await compareReports(read, context))?.table(style),
      );
  }
}

/** One report is the document itself. */
function documentOf(read: readonly ReadReport[], comparison: ComparedReports | null): object {
  const documents = read.map((each) => reportDocument(each.report, logOf(each)));
  const [only] = documents;
  if (comparison === null && only !== undefined) return only;
  return { reports: documents, comparison: comparison?.json() ?? null };
}

function logOf(read: ReadReport) {
  return read.kind === 'run' ? read.log : null;
}

function joined(texts: readonly string[], comparison: string | undefined): string {
  const all = comparison === undefined ? texts : [...texts, comparison];
  return `${all.map((text) => text.trimEnd()).join('\n\n')}\n`;
}

async function* onePiece(text: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(text);
}

/**
 * @param output a path, or `-` for stdout
 * @param pieces whole lines
 */
async function write(output: string, pieces: AsyncIterable<string>, context: CliContext): Promise<void> {
  if (output === '-') {
    for await (const piece of pieces) {
      context.out(piece.replace(/\n$/, ''));
      await context.drained();
    }
    return;
  }
  const file = resolve(context.cwd, output);
  try {
    await makeFolders(dirname(file));
    await writeFileAtomically(file, pieces);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    throw new UsageError(
      `the report ${output} cannot be written: ${describeSystemError(error)}; name another file with --output.`,
    );
  }
  context.log(`wrote ${shownPath(file, context.cwd)}`);
}
