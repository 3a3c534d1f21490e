/** `tauflow report --format html`: one page of all that was read. */

import { dirname, join } from 'node:path';
import { htmlReport, type HtmlSubject } from '../../results/page/index.ts';
import { resolveLogDir } from '../../results/log/index.ts';
import type { CliContext } from '../context.ts';
import { uiOfRun } from '../ui-of-run.ts';
import type { ComparedReports } from './comparison.ts';
import { temporalUiOf, type ReportFlags } from './flags.ts';
import type { ReadReport } from './read.ts';

/** The page, piece by piece: with thousands of episodes it is large. */
export async function* pageOf(
  read: readonly ReadReport[],
  comparison: ComparedReports | null,
  flags: ReportFlags,
  context: CliContext,
): AsyncGenerator<string, void, undefined> {
  const subjects: HtmlSubject[] = [];
  for (const { report, pack: findPack, ...place } of read) {
    const pack = await findPack();
    subjects.push({ ...place, report, ...(pack === null ? {} : { pack }) });
  }
  const uiUrl = temporalUiOf(flags) ?? (await uiOf(read, context));
  yield* htmlReport(subjects, { uiUrl, comparison: comparison?.sentences() ?? [] });
}

/** Beside the results: `<log-dir>/mine.html`, `<log-dir>/a-vs-b.html`, `<log-dir>/a-and-3-more.html`. */
export function defaultPage(read: readonly ReadReport[], { logDir }: ReportFlags, { cwd }: CliContext): string {
  const [first, ...others] = read;
  const names = read.map(({ report }) => report.subject.runId.replaceAll(/[\\/]+/g, '-'));
  const name = others.length > 1 ? `${names[0] ?? ''}-and-${String(others.length)}-more` : names.join('-vs-');
  const folder = first?.kind === 'file' ? dirname(first.path) : (first?.log.logDir ?? resolveLogDir(logDir, cwd));
  return join(folder, `${name}.html`);
}

/** The first that is known: runs that are compared have mostly run on one server. */
async function uiOf(read: readonly ReadReport[], context: CliContext): Promise<string | null> {
  for (const { manifest } of read) {
    const url = await uiOfRun(manifest, context);
    if (url !== null) return url;
  }
  return null;
}
