/** Reports of what is on disk: a run log, or a results file of any tool. Neither needs Temporal. */

import path from 'node:path';

import type { EpisodeAnalysis } from '../../analysis/index.ts';
import type { Pack } from '../../packs/index.ts';
import {
  LOG_NOTE,
  detectForm,
  endedManifest,
  missingEpisodes,
  orTell,
  rowAnalysis,
  rowOfEntry,
  rowOfRecord,
  type EpisodeRow,
  type RecordingForm,
  type RunEnding,
  type RunLog,
  type RunManifest,
  type TaskNotes,
} from '../log/index.ts';
import { reanalyzeEntry, reanalyzeRecord } from '../regrade/index.ts';
import { buildReport, packName, subjectOfFile, subjectOfRun, type Report } from './report.ts';
import { readResultsFile, requireDistinctEpisodes, type ResultsFileEntry } from '../tau-bench/index.ts';
import { notedTasksOf, taskNotesOf, type FindPack } from '../task-notes/index.ts';
import { readVerdicts } from '../judge/index.ts';

/** What a run was run with; undefined where that is not here. */
export type RunPack = () => Promise<Pack | undefined>;

const notHere: RunPack = () => Promise.resolve(undefined);

/** Looked for once, when it is first asked for: a run whose log has everything needs no pack. */
export function packOfRun(manifest: RunManifest | null, findPack: FindPack | undefined): RunPack {
  if (manifest === null || findPack === undefined) return notHere;
  let found: Promise<Pack | undefined> | undefined;
  return () => (found ??= findPack(manifest.config.pack));
}

export interface LoggedRows {
  readonly rows: EpisodeRow[];
  /** Of records that were replaced. */
  readonly superseded: EpisodeRow[];
  /** A sentence for each file that is not a readable record. */
  readonly problems: string[];
}

/**
 * The rows of all readable records. One record is in memory at a time.
 * @param pack the run's, asked for where a record carries no analysis: it is made then. @default such rows have none
 */
export async function readRows(log: RunLog, pack: RunPack = notHere): Promise<LoggedRows> {
  const listing = await log.listEpisodes();
  const problems = [...listing.problems];
  const tell = (sentence: string) => problems.push(sentence);
  const rows: EpisodeRow[] = [];
  for await (const record of log.records(listing.episodes, tell)) {
    const row = rowOfRecord(record);
    const found = row.analysis === undefined ? await pack() : undefined;
    rows.push(found === undefined ? row : withAnalysis(row, reanalyzeRecord(record, found)));
  }
  return { rows, superseded: await readSuperseded(log, tell), problems };
}

/** As {@link readRows} without a pack, and without reading the records again whose rows are known. */
export async function readKnownRows(log: RunLog): Promise<LoggedRows> {
  const listing = await log.listEpisodes();
  const problems = [...listing.problems];
  const tell = (sentence: string) => problems.push(sentence);
  const rows: EpisodeRow[] = [];
  for await (const row of log.rows(listing.episodes, tell)) rows.push(row);
  return { rows, superseded: await readSuperseded(log, tell), problems };
}

async function readSuperseded(log: RunLog, onProblem: (sentence: string) => void): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = [];
  for await (const record of log.supersededRecords(onProblem)) rows.push(rowOfRecord(record));
  return rows;
}

/**
 * The report on what the run log has now; without its `run.json` it tells less of the run's configuration.
 * @param findPack makes what the log does not have: notes on the tasks, and analyses of older records. @default they
 *   are left out
 * @param ending given by the sweep that is about to end the run: the report is that of the ended run
 * @throws ResultsError when the run log cannot be read
 */
export async function reportOfRun(log: RunLog, findPack?: FindPack, ending?: RunEnding): Promise<Report> {
  const written = await log.readRun();
  const pack = packOfRun(written, findPack);
  const logged = await readRows(log, pack);
  return reportOfRows(log, written, logged, pack, ending);
}

/** The report on rows that were read from the run log already. */
export async function reportOfRows(
  log: RunLog,
  written: RunManifest | null,
  { rows, superseded, problems }: LoggedRows,
  pack: RunPack = notHere,
  ending?: RunEnding,
): Promise<Report> {
  const manifest = written === null || ending === undefined ? written : endedManifest(written, ending, rows);
  const tell = (sentence: string) => problems.push(sentence);
  const verdicts = await readVerdicts(log, tell);
  if (manifest === null) return buildReport(subjectOfFile(log.runId), rows, { problems, superseded, verdicts });
  const notes = (await readNotes(log, manifest, tell)) ?? (await notesFrom(pack, manifest));
  // Of a run that is said to have run to its end, every episode must be there.
  const isToBeWhole = manifest.status === 'completed' || manifest.status === 'incomplete';
  const missing = isToBeWhole ? missingEpisodes(manifest, rows) : [];
  return buildReport(subjectOfRun(manifest), rows, { problems, superseded, notes, verdicts, missing });
}

/** What a results file was run on. */
export interface FileTasks {
  readonly pack: Pack;
  readonly split: string;
}

/**
 * A report without notes on the tasks and without analyses: a file does not say what it was run on.
 * @throws ResultsError when the file cannot be read or is not a results file
 */
export async function reportOfFile(file: string): Promise<Report> {
  return reportOfEntries(file, await readResultsFile(file), null);
}

/**
 * @param tasks null where nobody knows
 * @throws ResultsError (`malformed`) where an episode is there twice
 */
export function reportOfEntries(file: string, entries: readonly ResultsFileEntry[], tasks: FileTasks | null): Report {
  requireDistinctEpisodes(entries, file);
  const form = detectForm(entries);
  const plain = subjectOfFile(path.basename(file));
  const subject = form === 'log' ? { ...plain, notes: [LOG_NOTE] } : plain;
  if (tasks === null) {
    return buildReport(
      subject,
      entries.map((entry) => rowOfEntry(entry, form)),
    );
  }
  const { pack, split } = tasks;
  const notes = taskNotesOf(pack, { split, taskIds: entries.map((entry) => entry.task_id) });
  const known = { ...subject, env: pack.domain, split, pack: packName(pack.ref) };
  return buildReport(known, rowsWithAnalyses(entries, tasks, form), { notes });
}

function rowsWithAnalyses(
  entries: readonly ResultsFileEntry[],
  { pack, split }: FileTasks,
  form: RecordingForm,
): EpisodeRow[] {
  return entries.map((entry) => withAnalysis(rowOfEntry(entry, form), reanalyzeEntry(entry, pack, split, form)));
}

/** Notes of another pack or split than the run's are none of its own. */
async function readNotes(
  log: RunLog,
  { config }: RunManifest,
  onProblem: (sentence: string) => void,
): Promise<TaskNotes | null> {
  const notes = await orTell(() => log.readTaskNotes(), onProblem);
  return notes?.pack.digest === config.pack.digest && notes.split === config.split ? notes : null;
}

async function notesFrom(pack: RunPack, manifest: RunManifest): Promise<TaskNotes | null> {
  const found = await pack();
  return found === undefined ? null : taskNotesOf(found, notedTasksOf(manifest));
}

function withAnalysis(row: EpisodeRow, analysis: EpisodeAnalysis | undefined): EpisodeRow {
  return analysis === undefined ? row : { ...row, analysis: rowAnalysis(analysis) };
}
