/** Reads results of other tools, whose format is recognized by their content. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResultsFileEntry } from '../../benchmarks/results.ts';
import { findStats, isFolder } from '../../io/index.ts';
import { damaged } from './json-parts.ts';
import { probeFile, type ProbedFile } from './file.ts';
import { isTrajectory, readTrajectoryFile } from './atif.ts';
import { isEveryEvalEver, readEveryEvalEver } from './every-eval-ever.ts';
import { isHarborJob, readHarborJob } from './harbor.ts';
import { numberTasks, toEntries } from './entries.ts';
import { isInspectLog, readInspectLog } from './inspect.ts';
import type { ReadOptions, RecordedRun } from './model.ts';
import { isPromptfoo, readPromptfoo } from './promptfoo.ts';
import { findSubmissions, isTauResults, readSubmission, readTauResults } from './tau.ts';

export { numberTasks, toEntries, type ScoreChoice } from './entries.ts';
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
 * Returns the entries of another tool's file with one run; null for any other file.
 * @throws ResultsError also for a file with several runs
 */
export async function readOtherEntries(file: string): Promise<ResultsFileEntry[] | null> {
  const runs = await readFile(file, { messages: true }, READERS);
  const [run, ...others] = runs ?? [];
  if (run === undefined) return null;
  if (others.length === 0) return toEntries(run, numberTasks([run])).entries;
  throw damaged(file, `it has ${String(others.length + 1)} runs; \`tauflow report\` shows each of them`);
}

const TAU: Reader = { recognizes: isTauResults, read: readTauResults };

/** Size in bytes from which a results file of tau-bench is read without its tasks and analyses, which take memory. */
const LARGE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file, or the files of a folder.
 * @returns the runs in them; null where no file is of one of these formats
 * @throws ResultsError
 */
export async function readRecordedRuns(place: string, options: ReadOptions = {}): Promise<RecordedRun[] | null> {
  if (!(await isFolder(place))) {
    const { size = 0 } = findStats(place) ?? {};
    return readFile(place, options, size > LARGE_BYTES ? [...READERS, TAU] : READERS);
  }
  const names = (await readdir(place)).filter((name) => !name.startsWith('.')).sort();
  // The folder is a run log, or one of τ³-bench's tools.
  if (names.includes('run.json') || names.includes('results.json')) return null;
  if (isHarborJob(names)) return readHarborJob(place, options);
  const submissions: RecordedRun[] = [];
  for (const folder of findSubmissions(place, names)) {
    const run = await readSubmission(folder, options);
    if (run !== null) submissions.push(run);
  }
  if (submissions.length > 0) return submissions;
  const found: { readonly file: string; readonly run: RecordedRun }[] = [];
  for (const file of names) {
    const full = path.join(place, file);
    const runs = (await isFolder(full)) ? null : await readFile(full, options, [...READERS, TAU]);
    found.push(...(runs ?? []).map((run) => ({ file, run })));
  }
  if (found.length === 0) return null;
  const isShared = (name: string) => found.filter(({ run }) => run.name === name).length > 1;
  return found.map(({ file, run }) => (isShared(run.name) ? { ...run, name: `${run.name} ${file}` } : run));
}

async function readFile(file: string, options: ReadOptions, readers: readonly Reader[]): Promise<RecordedRun[] | null> {
  const probed = await probeFile(file);
  const reader = readers.find(({ recognizes }) => recognizes(probed));
  return reader === undefined ? null : reader.read(probed, options);
}
