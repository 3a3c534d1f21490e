/**
 * Finds results in a file, or in a folder as some benchmarks' tools make one for each run. The `results.json` there has
 * everything, or all but the simulations, which are then files of the folder `simulations`.
 */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { statOf } from '../../io/index.ts';

const RESULTS = 'results.json';

/** @returns the results file of such a folder; null for another folder, and for what is none */
export function resultsFileIn(folder: string): string | null {
  const file = path.join(folder, RESULTS);
  // A run log of this program has a `run.json`, and may have files of any name.
  return isFile(file) && !isFile(path.join(folder, 'run.json')) ? file : null;
}

/** The name of results for people: that of their file, or of the folder whose `results.json` they are. */
export function resultsName(file: string): string {
  const isNamedByFolder = path.basename(file) === RESULTS;
  return isNamedByFolder
    ? path.basename(path.dirname(path.resolve(file)))
    : path.basename(file).replace(/\.json$/i, '');
}

/** The folder of simulations beside a results file, if it has one. */
export function simulationsFolder(file: string): string {
  return path.join(path.dirname(file), 'simulations');
}

/** Files of simulations in the order in which the benchmark's tools read them; null where there is no such folder. */
export async function listSimulations(file: string): Promise<string[] | null> {
  const folder = simulationsFolder(file);
  if (statOf(folder)?.isDirectory() !== true) return null;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return names.sort().map((name) => path.join(folder, name));
}

function isFile(file: string): boolean {
  return statOf(file)?.isFile() === true;
}
