/** Reports of what is on disk: a run log, or a results file of any tool. Neither needs Temporal. */

import path from 'node:path';

import { buildReport, subjectOfFile, subjectOfRun, type Report } from './report.ts';
import { readResultsFile } from './results-reader.ts';
import { rowOfEntry, rowOfRecord, type EpisodeRow } from './rows.ts';
import type { RunLog } from './run-log.ts';

export interface LoggedRows {
  readonly rows: EpisodeRow[];
  /** Of records that were replaced. */
  readonly superseded: EpisodeRow[];
  /** A sentence for each file that is not a readable record. */
  readonly problems: string[];
}

/** The rows of all readable records. One record is in memory at a time. */
export async function readRows(log: RunLog): Promise<LoggedRows> {
  const listing = await log.listEpisodes();
  const problems = [...listing.problems];
  const tell = (sentence: string) => problems.push(sentence);
  const rows: EpisodeRow[] = [];
  for await (const record of log.records(listing.episodes, tell)) rows.push(rowOfRecord(record));
  const superseded: EpisodeRow[] = [];
  for await (const record of log.supersededRecords(tell)) superseded.push(rowOfRecord(record));
  return { rows, superseded, problems };
}

/**
 * The report on what the run log has now; without its `run.json` it tells less of the run's configuration.
 * @throws ResultsError when the run log cannot be read
 */
export async function reportOfRun(log: RunLog): Promise<Report> {
  const manifest = await log.readRun();
  const { rows, superseded, problems } = await readRows(log);
  const subject = manifest === null ? subjectOfFile(log.runId) : subjectOfRun(manifest);
  return buildReport(subject, rows, problems, superseded);
}

/** @throws ResultsError when the file cannot be read or is not a results file */
export async function reportOfFile(file: string): Promise<Report> {
  const entries = await readResultsFile(file);
  return buildReport(subjectOfFile(path.basename(file)), entries.map(rowOfEntry));
}
