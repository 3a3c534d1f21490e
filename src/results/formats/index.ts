/** Reads results of other tools, whose format is recognized by their content. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResultsFileEntry } from '../../benchmarks/results.ts';
import { findStats, isFolder } from '../../io/index.ts';
import { damagedFileError } from './json-parts.ts';
import { probeFile, type ProbedFile } from './file.ts';
import { isTrajectory, readTrajectoryFile } from './atif.ts';
import { isEveryEvalEver, readEveryEvalEver } from './every-eval-ever.ts';
import { isHarborJob, readHarborJob } from './harbor.ts';
import { createTaskNumbers, toEntries } from './entries.ts';
import { isInspectLog, readInspectLog } from './inspect.ts';
import type { ReadOptions, RecordedRun } from './model.ts';
import { isPromptfoo, readPromptfoo } from './promptfoo.ts';
import { findSubmissions, isTauResults, readSubmission, readTauResults } from './tau.ts';

export { createTaskNumbers, toEntries, type ScoreChoice } from './entries.ts';
export type { RecordedRun } from './model.ts';

interface Reader {
  readonly recognizes: (file: ProbedFile) => boolean;
  readonly read: (file: ProbedFile, options: ReadOptions) => Promise<RecordedRun[]>;
}

const READERS: readonly Reader[] = [
  { recognizes: isTrajectory, read: readTrajectoryFile },
  { recognizes: isInspectLog, read: readInspectLog },
  { recognizes: isPromptfoo, read: readPromptfoo },
  { recognizes: isEveryEvalEver, read: readEveryEvalEver },
];

/** True for a file of another tool than the benchmarks' own. */
export async function isOtherResults(file: string): Promise<boolean> {
  const probed = await probeFile(file);
  return READERS.some(({ recognizes }) => recognizes(probed));
}

/**
 * Reads the entries of a run in a file of another tool; null for any other file.
 * @param place of the run in the file, from 1. @default the file has one run
 * @throws ResultsError also for a file with several runs, or without a run at the place
 */
export async function readOtherEntries(file: string, place?: number): Promise<ResultsFileEntry[] | null> {
  const runs = await readFile(file, { messages: true }, READERS);
  if (runs === null) return null;
  const run = place === undefined && runs.length > 1 ? undefined : runs[(place ?? 1) - 1];
  if (run !== undefined) return toEntries(run, createTaskNumbers(runs)).entries;
  throw damagedFileError(
    file,
    `it has ${String(runs.length)} runs; \`tauflow report\` and \`tauflow view\` show each of them`,
  );
}

const TAU: Reader = { recognizes: isTauResults, read: readTauResults };

/** Size in bytes above which a results file of tau-bench is read without its tasks and analyses, to save memory. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** Deepest level of folders that is searched; Every Eval Ever's data have four levels. */
const MAX_DEPTH = 6;

/**
 * Reads a file, or the files of a folder and of the folders below it.
 * @returns the runs in them; null if no file has a known format
 * @throws ResultsError
 */
export async function readRecordedRuns(place: string, options: ReadOptions = {}): Promise<RecordedRun[] | null> {
  if (!(await isFolder(place))) {
    const { size = 0 } = findStats(place) ?? {};
    return readFile(place, options, size > LARGE_BYTES ? [...READERS, TAU] : READERS);
  }
  const found = await readFolder(place, options, MAX_DEPTH);
  if (found.length === 0) return null;
  const isShared = (name: string) => found.filter(({ run }) => run.name === name).length > 1;
  return found.map(({ from, run }) =>
    isShared(run.name) ? { ...run, name: `${run.name} ${path.relative(place, from)}` } : run,
  );
}

/** Most submissions that a note names. */
const MOST_NAMED = 10;

interface FoundRun {
  /** The file or folder that contains the run. */
  readonly from: string;
  readonly run: RecordedRun;
}

async function readFolder(folder: string, options: ReadOptions, depth: number): Promise<FoundRun[]> {
  const inside = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = inside.map(({ name }) => name);
  // The folder is a run log, or one of τ³-bench's tools.
  if (names.includes('run.json') || names.includes('results.json')) return [];
  if (isHarborJob(names)) return toFound(folder, await readHarborJob(folder, options));
  const places = findSubmissions(folder, names);
  if (places.length > 0) return readSubmissions(folder, places, options);
  const found: FoundRun[] = [];
  for (const each of inside) found.push(...(await readEach(path.join(folder, each.name), each, options, depth)));
  return found;
}

/** Reads submissions to a leaderboard. The first run's notes name submissions without trajectories. */
async function readSubmissions(folder: string, places: readonly string[], options: ReadOptions): Promise<FoundRun[]> {
  const found: FoundRun[] = [];
  const unread: string[] = [];
  for (const from of places) {
    const runs = await readSubmission(from, options);
    if (runs === null) unread.push(path.basename(from));
    found.push(...toFound(from, runs));
  }
  const [first, ...others] = found;
  if (first === undefined) {
    throw damagedFileError(
      folder,
      'its submissions have no trajectories; download their results files into `trajectories/`',
    );
  }
  if (unread.length === 0) return found;
  const listed = unread.length > MOST_NAMED ? [...unread.slice(0, MOST_NAMED), '…'] : unread;
  const note = `Left out, because they have no trajectories: ${listed.join(', ')}.`;
  return [{ ...first, run: { ...first.run, notes: [note, ...first.run.notes] } }, ...others];
}

async function readEach(place: string, entry: Dirent, options: ReadOptions, depth: number): Promise<FoundRun[]> {
  if (entry.isDirectory()) return depth === 0 ? [] : readFolder(place, options, depth - 1);
  return (await isFolder(place)) ? [] : toFound(place, await readFile(place, options, [...READERS, TAU]));
}

function toFound(from: string, runs: readonly RecordedRun[] | null): FoundRun[] {
  return (runs ?? []).map((run) => ({ from, run }));
}

async function readFile(file: string, options: ReadOptions, readers: readonly Reader[]): Promise<RecordedRun[] | null> {
  const probed = await probeFile(file);
  const reader = readers.find(({ recognizes }) => recognizes(probed));
  return reader === undefined ? null : reader.read(probed, options);
}
