/** The runs that a log folder may hold. */

import { readdir } from 'node:fs/promises';
import { describeSystemError, systemErrorCode } from '../results/log/index.ts';
import { UsageError } from '../errors/index.ts';

/**
 * Names of the folder's subfolders; none when it does not exist, because nothing has been run yet.
 * @throws UsageError when it cannot be read
 */
export async function runFolders(logDir: string): Promise<string[]> {
  try {
    const entries = await readdir(logDir, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new UsageError(`the log folder ${logDir} cannot be read: ${describeSystemError(error)}.`);
  }
}
