/** Says why a local server may not answer, as far as this machine tells. Advises nothing that could lose work. */

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { LocalServer } from './ensure.ts';
import { isStopped } from './processes.ts';

/** SQLite cannot write its log on a disk with less, in bytes. */
const leastFree = 8 * 1024 * 1024;

/** @returns what is wrong and what to do; null where nothing is to be seen from outside */
export async function findTrouble({ pid, dbFile }: Pick<LocalServer, 'pid' | 'dbFile'>): Promise<string | null> {
  if (await isStopped(pid)) {
    return `the Temporal server (pid ${pid}) is stopped by a signal; \`kill -CONT ${pid}\` lets it continue`;
  }
  const folder = dirname(dbFile);
  const free = await freeBytes(folder);
  if (free !== null && free < leastFree) {
    return `the disk with the Temporal server's database is full (${folder}); free some space, and the server goes on`;
  }
  return null;
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // The folder was removed, or may not be looked at: then nothing is known.
    return null;
  }
}
