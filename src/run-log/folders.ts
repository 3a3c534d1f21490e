/** The runs and the results files of a log folder, by the names of their folders and files. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { ResultsError, ResultsProblem, describeSystemError } from './files.ts';
import { systemErrorCode } from '../errors/index.ts';

/**
 * Names of the folder's subfolders; none when it does not exist, because nothing has been run yet.
 * @throws ResultsError (`unreadable`)
 */
export async function listRunFolders(logDir: string): Promise<string[]> {
  return (await listEntries(logDir)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Names of the JSON files that are no run's: results files of any tool, as a rule, but what is in them is not known.
 * @throws ResultsError (`unreadable`)
 */
export async function listLoneFiles(logDir: string): Promise<string[]> {
  const entries = await listEntries(logDir);
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  return entries
    .filter((entry) => entry.isFile() && /^[^.].*\.json$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !folders.has(name.slice(0, -'.json'.length)));
}

async function listEntries(logDir: string): Promise<Dirent[]> {
  try {
    return await readdir(logDir, { withFileTypes: true });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new ResultsError(
      ResultsProblem.Unreadable,
      `the log folder ${logDir} cannot be read: ${describeSystemError(error)}.`,
      { cause: error },
    );
  }
}
