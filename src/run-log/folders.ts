/** The runs and the results files of a log folder, by the names of their folders and files. */

import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { ResultsError, ResultsProblem, describeSystemError } from './files.ts';
import { systemErrorCode } from '../errors/index.ts';

/** Lists the names of the subfolders; empty if the folder does not exist yet. @throws ResultsError (`unreadable`) */
export async function listRunFolders(logDir: string): Promise<string[]> {
  return (await listEntries(logDir)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Lists the names of JSON files without a run's folder: usually results files, but their content is not checked.
 * @throws ResultsError (`unreadable`)
 */
export async function listLoneFiles(logDir: string): Promise<string[]> {
  const entries = await listEntries(logDir);
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  return entries
    .filter((entry) => entry.isFile() && /^[^.].*\.(?:json|eval)$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !folders.has(name.replace(/\.json$/, '')));
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
