/** Reads results of other tools, told apart by their content. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFolder } from '../../io/index.ts';
import { probeFile, type ProbedFile } from './file.ts';
import { isInspectLog, readInspectLog } from './inspect.ts';
import type { ReadOptions, RecordedRun } from './model.ts';

export { numberTasks, toEntries, type ScoreChoice } from './entries.ts';
export type { RecordedRun } from './model.ts';

interface Reader {
  readonly recognizes: (file: ProbedFile) => boolean;
  readonly read: (file: ProbedFile, options: ReadOptions) => Promise<RecordedRun[]>;
}

const READERS: readonly Reader[] = [{ recognizes: isInspectLog, read: readInspectLog }];

/**
 * Reads a file, or the files of a folder.
 * @returns the runs in them; null where no file is of one of these formats
 * @throws ResultsError
 */
export async function readRecordedRuns(place: string, options: ReadOptions = {}): Promise<RecordedRun[] | null> {
  if (!(await isFolder(place))) return readFile(place, options);
  const names = (await readdir(place)).filter((name) => !name.startsWith('.')).sort();
  // A run log, or a folder of τ³-bench's tools.
  if (names.includes('run.json') || names.includes('results.json')) return null;
  const found: { readonly file: string; readonly run: RecordedRun }[] = [];
  for (const file of names) {
    const full = path.join(place, file);
    const runs = (await isFolder(full)) ? null : await readFile(full, options);
    found.push(...(runs ?? []).map((run) => ({ file, run })));
  }
  if (found.length === 0) return null;
  const isShared = (name: string) => found.filter(({ run }) => run.name === name).length > 1;
  return found.map(({ file, run }) => (isShared(run.name) ? { ...run, name: `${run.name} ${file}` } : run));
}

async function readFile(file: string, options: ReadOptions): Promise<RecordedRun[] | null> {
  const probed = await probeFile(file);
  const reader = READERS.find(({ recognizes }) => recognizes(probed));
  return reader === undefined ? null : reader.read(probed, options);
}
