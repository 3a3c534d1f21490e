/** The flags of `tauflow report`, and the reports on the run logs and results files that it names. */

import { detectForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { parseGates, type Gate } from '../../results/gates/index.ts';
import {
  reportOfEntries,
  reportOfOther,
  reportOfRun,
  type FileTasks,
  type Report,
} from '../../results/report/index.ts';
import { namesTasks } from '../../results/regrade/index.ts';
import type { RunLog, RunManifest } from '../../run-log/index.ts';
import { asTrialsOfOneRun, readResultsFile, requireDistinctEpisodes } from '../../results/files/index.ts';
import { resolvePack, type Pack } from '../../benchmarks/packs/index.ts';
import type { CliContext } from '../context.ts';
import { packFinder } from '../find-run.ts';
import {
  ambiguityError,
  findFitting,
  findRegradedTasks as findFileTasks,
  type SubjectFlags,
} from '../regrade/subject.ts';
import { readOtherResults, type NamedRun, type ScoreFlags } from '../recorded.ts';
import { findReadable } from '../run-log.ts';
import { UsageError } from '../../errors/index.ts';

export type ReportFormat = 'table' | 'json' | 'markdown' | 'csv' | 'junit' | 'html';

export interface ReportFlags extends SubjectFlags, ScoreFlags {
  readonly logDir: string;
  readonly format: ReportFormat;
  readonly json?: boolean;
  readonly all?: boolean;
  readonly output?: string;
  readonly temporalUi?: string;
  readonly failUnder?: string;
  readonly failIf?: readonly string[];
  readonly asTrials?: boolean;
}

export function readFormat({ format, json }: ReportFlags): ReportFormat {
  return json === true ? 'json' : format;
}

/** @throws UsageError for a share outside 0 to 1, and for an invalid gate */
export function readGates({ failUnder, failIf = [] }: ReportFlags): Gate[] {
  if (failUnder === undefined) return parseGates(failIf, undefined);
  const share = Number(failUnder);
  if (failUnder.trim() !== '' && share >= 0 && share <= 1) return parseGates(failIf, share);
  throw new UsageError('--fail-under must be a number from 0 to 1.');
}

/** @returns the address without a trailing slash. @throws UsageError for anything but a web address */
export function readTemporalUi({ temporalUi }: Pick<ReportFlags, 'temporalUi'>): string | undefined {
  if (temporalUi === undefined) return undefined;
  if (/^https?:\/\/[^\s/]/.test(temporalUi) && URL.canParse(temporalUi)) return temporalUi.replace(/(?<!\/)\/+$/, '');
  throw new UsageError(`--temporal-ui must be a web address such as http://127.0.0.1:8233, not "${temporalUi}".`);
}

export type ReadReport = {
  readonly report: Report;
  readonly manifest: RunManifest | null;
} & (
  | { readonly kind: 'run'; readonly log: RunLog }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly entries: readonly ResultsFileEntry[];
      /** Name of the tasks in another tool's file. @default unknown */
      readonly benchmark?: string | null;
      /** Pack of the tasks; null if unknown. */
      readonly pack: Pack | null;
    }
);

/**
 * Reads the reports. Each has a distinct name: its own, or the one on the command line if two have the same.
 * @throws UsageError, PackError, ResultsError if one does not exist or cannot be read
 */
export async function readReports(
  subjects: readonly string[],
  flags: ReportFlags,
  context: CliContext,
): Promise<ReadReport[]> {
  if (flags.asTrials === true) return [await readTrials(subjects, flags, context)];
  const others = await readOtherResults(subjects, flags, context, flags.format === 'html');
  const read: { readonly subject: string; readonly each: ReadReport }[] = [];
  for (const [index, subject] of subjects.entries()) {
    const reports = others[index]?.map(reportOther) ?? [await readReport(subject, flags, context)];
    read.push(...reports.map((each) => ({ subject, each })));
  }
  const ids = read.map(({ each }) => each.report.subject.runId);
  return read.map(({ subject, each }, index) => {
    const isShared = ids.filter((id) => id === ids[index]).length > 1;
    return isShared ? renameRun(each, subject) : each;
  });
}

function reportOther({ path, entries, rows, ...run }: NamedRun): ReadReport {
  return {
    kind: 'file',
    path,
    entries,
    report: reportOfOther(run, rows),
    manifest: null,
    benchmark: run.benchmark,
    pack: null,
  };
}

async function readReport(subject: string, flags: ReportFlags, context: CliContext): Promise<ReadReport> {
  const found = await findReadable(subject, flags.logDir, context);
  if (found.kind === 'run') return readRun(found.log, flags, context);
  return reportFile(found.path, await readResultsFile(found.path), flags, context);
}

async function reportFile(
  path: string,
  entries: readonly ResultsFileEntry[],
  flags: ReportFlags,
  context: CliContext,
): Promise<ReadReport> {
  const tasks = await findReportTasks(path, entries, flags, context);
  const report = reportOfEntries(path, entries, tasks);
  return { kind: 'file', path, entries, report, manifest: null, pack: tasks?.pack ?? null };
}

/** Reads files as trials of one run, and returns one report under the first file's name. */
async function readTrials(subjects: readonly string[], flags: ReportFlags, context: CliContext): Promise<ReadReport> {
  const files: { path: string; entries: ResultsFileEntry[] }[] = [];
  for (const subject of subjects) {
    const found = await findReadable(subject, flags.logDir, context);
    if (found.kind === 'run') {
      throw new UsageError(`--as-trials takes results files, and ${subject} is a run; give its results file.`);
    }
    if (files.some(({ path }) => path === found.path)) {
      throw new UsageError(`${subject} is given twice; name each file once.`);
    }
    const entries = await readResultsFile(found.path);
    requireDistinctEpisodes(entries, subject);
    files.push({ path: found.path, entries });
  }
  const path = files[0]?.path ?? '';
  const read = await reportFile(path, asTrialsOfOneRun(files.map(({ entries }) => entries)), flags, context);
  const others = files.length - 1;
  return others === 0 ? read : renameRun(read, `${read.report.subject.runId}-and-${String(others)}-more`);
}

async function readRun(log: RunLog, { pack }: ReportFlags, context: CliContext): Promise<ReadReport> {
  const manifest = await log.readRun();
  // Packs that were read are found by their digest later. A pack with another digest is not the run's.
  if (pack !== undefined && manifest !== null) await resolvePack(manifest.config.env, pack, context);
  const report = await reportOfRun(log, packFinder(context));
  return { kind: 'run', log, report, manifest };
}

/**
 * Finds the pack by flags, otherwise by the file's tasks; null if there is none or the file does not contain its tasks,
 * because a wrong guess would not be noticed.
 */
async function findReportTasks(
  file: string,
  entries: readonly ResultsFileEntry[],
  flags: ReportFlags,
  context: CliContext,
): Promise<FileTasks | null> {
  const { home, log } = context;
  if (flags.env === undefined && flags.pack === undefined && flags.taskSplit === undefined) {
    const fitting = namesTasks(entries) ? await findFitting(entries, flags, home) : [];
    if (fitting.length > 1)
      log(`warning: ${ambiguityError(fitting)} Without it, the report does not say why episodes failed.`);
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  }
  return findFileTasks(file, entries, detectForm(entries), flags, context);
}

function renameRun(read: ReadReport, runId: string): ReadReport {
  return { ...read, report: { ...read.report, subject: { ...read.report.subject, runId } } };
}
