/** Builds reports from a run log or a results file, and writes the files of an ended run. */

import { LOG_NOTE, detectForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';
import {
  endedManifest,
  missingEpisodes,
  notesOfRun,
  orReport,
  planOrder,
  readNotes as readEpisodeNotes,
  rowOfEntry,
  rowOfRecord,
  type EpisodeRow,
  type RunEnding,
  type RunLog,
  type RunManifest,
  type TaskNotes,
} from '../../run-log/index.ts';
import { reanalyzedRow } from '../regrade/index.ts';
import {
  allEpisodes,
  buildReport,
  metricsToJson,
  formatPackName,
  subjectOfFile,
  subjectOfRun,
  type Report,
} from './report.ts';
import { assembleResultsFile, requireDistinctEpisodes, resultsName } from '../files/index.ts';
import { toNotedTasks, createTaskNotes, type FindPack } from './task-notes.ts';
import type { RecordedRun } from '../formats/index.ts';
import { readVerdicts, type FileTasks } from '../judge/index.ts';

/** Returns the pack of a run; undefined if it is not on this machine. */
type RunPack = () => Promise<Pack | undefined>;

const notHere: RunPack = () => Promise.resolve(undefined);

/** Returns a function that finds the pack of a run when it is first called, and only once. */
export function packOfRun(manifest: RunManifest | null, findPack: FindPack | undefined): RunPack {
  if (manifest === null || findPack === undefined) return notHere;
  let found: Promise<Pack | undefined> | undefined;
  return () => (found ??= findPack(manifest.config.pack));
}

interface LoggedRows {
  readonly rows: EpisodeRow[];
  /** Rows of archived records. */
  readonly archived: EpisodeRow[];
  /** Sentences on files that are not readable records. */
  readonly problems: string[];
}

/** Reads the rows of all readable records, one record in memory at a time. */
export async function readRows(log: RunLog): Promise<LoggedRows> {
  const listing = await log.listEpisodes();
  const problems = [...listing.problems];
  const onProblem = (sentence: string) => problems.push(sentence);
  const rows: EpisodeRow[] = [];
  const archived: EpisodeRow[] = [];
  for await (const row of log.rows(listing.episodes, onProblem)) rows.push(row);
  for await (const record of log.archivedRecords(onProblem)) archived.push(rowOfRecord(record));
  return { rows, archived, problems };
}

/**
 * @param findPack finds the pack for notes on tasks that the log lacks. @default without these notes
 * @param ending set by a sweep that is about to end the run
 * @throws ResultsError when the run log cannot be read
 */
export async function reportOfRun(log: RunLog, findPack?: FindPack, ending?: RunEnding): Promise<Report> {
  const written = await log.readRun();
  const pack = packOfRun(written, findPack);
  const logged = await readRows(log);
  return reportOfRows(log, written, logged, pack, ending);
}

/** Builds the report on rows from {@link readRows}. */
export async function reportOfRows(
  log: RunLog,
  written: RunManifest | null,
  { rows, archived, problems }: LoggedRows,
  pack: RunPack = notHere,
  ending?: RunEnding,
): Promise<Report> {
  const manifest = written === null || ending === undefined ? written : endedManifest(written, ending, rows);
  const onProblem = (sentence: string) => problems.push(sentence);
  const verdicts = await readVerdicts(log, onProblem);
  const episodeNotes = await readEpisodeNotes(notesOfRun(log), onProblem);
  const parts = { problems, archived, verdicts, episodeNotes };
  if (manifest === null) return buildReport(subjectOfFile(log.runId), rows, parts);
  const notes = (await readNotes(log, manifest, onProblem)) ?? (await makeNotes(pack, manifest));
  const isToBeWhole = manifest.status === 'completed' || manifest.status === 'incomplete';
  const missing = isToBeWhole ? missingEpisodes(manifest, rows) : [];
  const { conditions } = manifest.plan;
  return buildReport(subjectOfRun(manifest), rows, { ...parts, notes, missing, conditions });
}

/**
 * Builds a report on a results file.
 * @param tasks null: unknown, and the report has no notes on the tasks and no analyses
 * @throws ResultsError (`malformed`) for an episode that occurs twice
 */
export function reportOfEntries(file: string, entries: readonly ResultsFileEntry[], tasks: FileTasks | null): Report {
  requireDistinctEpisodes(entries, file);
  const form = detectForm(entries);
  const plain = subjectOfFile(resultsName(file));
  const subject = form === 'log' ? { ...plain, notes: [LOG_NOTE] } : plain;
  if (tasks === null) {
    return buildReport(
      subject,
      entries.map((entry) => rowOfEntry(entry, form)),
    );
  }
  const { pack, split } = tasks;
  const notes = createTaskNotes(pack, { split, taskIds: entries.map((entry) => entry.task_id) });
  const rows = entries.map((entry) => reanalyzedRow(entry, pack, split, form));
  const known = { ...subject, env: pack.domain, split, pack: formatPackName(pack.ref) };
  return buildReport(known, rows, { notes });
}

/** Builds a report on rows of another tool's file. */
export function reportOfOther(
  { name, agent, agentModel, notes }: Pick<RecordedRun, 'name' | 'agent' | 'agentModel' | 'notes'>,
  rows: readonly EpisodeRow[],
): Report {
  return buildReport({ ...subjectOfFile(name), strategy: agent, agentModel, notes }, rows);
}

/** Reads notes on the run's tasks; null for notes on another pack or split. */
async function readNotes(
  log: RunLog,
  { config }: RunManifest,
  onProblem: (sentence: string) => void,
): Promise<TaskNotes | null> {
  const notes = await orReport(() => log.readTaskNotes(), onProblem);
  return notes?.pack.digest === config.pack.digest && notes.split === config.split ? notes : null;
}

async function makeNotes(pack: RunPack, manifest: RunManifest): Promise<TaskNotes | null> {
  const found = await pack();
  return found === undefined ? null : createTaskNotes(found, toNotedTasks(manifest));
}

interface PublishOptions {
  /** Finds the pack for notes on the tasks. @default no notes on the tasks */
  readonly findPack?: FindPack | undefined;
  /** End of the run for `run.json`, set by its sweep. @default the run continues */
  readonly ending?: RunEnding;
}

/**
 * Writes `metrics.json`, `tasks.json` and the results file. The same log gives the same files. Without the pack, only
 * the notes on the tasks are missing.
 */
export async function publishRun(
  log: RunLog,
  warn: (sentence: string) => void,
  { findPack, ending }: PublishOptions = {},
): Promise<Report> {
  const manifest = await log.readRun();
  const { plan, config } = ending ?? manifest ?? {};
  const order = manifest && plan && config ? planOrder(plan, config.seed) : [];
  await assembleResultsFile(log, { order });
  const report = await reportOfRun(log, findPack && reportFailure(findPack, warn), ending);
  report.problems.forEach(warn);
  if (report.notes !== null) await log.writeTaskNotes(report.notes);
  else if (manifest !== null && manifest.config.pack.environment === undefined && findPack !== undefined)
    warn(describeLackingNotes(manifest));
  await log.writeMetrics(metricsToJson(report));
  // run.json is written last, so that an ended run has its results.
  if (manifest !== null && ending !== undefined) {
    await log.removeStale();
    await log.writeRun(endedManifest(manifest, ending, allEpisodes(report)));
  }
  return report;
}

/** Reports an unreadable pack as a warning, so that the run can end. */
function reportFailure(findPack: FindPack, warn: (sentence: string) => void): FindPack {
  return async (ref) => {
    try {
      return await findPack(ref);
    } catch (error) {
      warn(`the pack ${ref.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
}

function describeLackingNotes({ runId, config: { pack } }: RunManifest): string {
  return (
    `floor and ceiling of the run ${runId} are not known: its pack ${pack.name} is not on this machine; ` +
    `run \`npx tauflow report ${runId}\` where the pack is`
  );
}
