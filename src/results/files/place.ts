/** Folders of results from some benchmarks' tools: a `results.json`, with or without a folder `simulations`. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findStats } from '../../io/index.ts';

const RESULTS = 'results.json';

/** Finds the results file of a folder of results; null for any other folder. */
export function resultsFileIn(folder: string): string | null {
  const file = path.join(folder, RESULTS);
  // A folder with a `run.json` is a run log.
  return isFile(file) && !isFile(path.join(folder, 'run.json')) ? file : null;
}

/** Returns the file's name, or the folder's name for a `results.json`. */
export function resultsName(file: string): string {
  const isNamedByFolder = path.basename(file) === RESULTS;
  return isNamedByFolder
    ? path.basename(path.dirname(path.resolve(file)))
    : path.basename(file).replace(/\.json$/i, '');
}

export function simulationsFolder(file: string): string {
  return path.join(path.dirname(file), 'simulations');
}

/** Lists the files of simulations in the order of the benchmark's tools; null without the folder. */
export async function listSimulations(file: string): Promise<string[] | null> {
  const folder = simulationsFolder(file);
  if (findStats(folder)?.isDirectory() !== true) return null;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return names.sort().map((name) => path.join(folder, name));
}

function isFile(file: string): boolean {
  return findStats(file)?.isFile() === true;
}
