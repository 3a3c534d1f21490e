/**
 * Locks of the kernel on files. A lock belongs to an open file: it lasts until the last process that has this open file
 * has closed it or has ended, also by `kill -9`.
 */

import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { firstLine, instead } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';

/** Interval between two attempts to take a lock, in ms. */
const RETRY_MS = 25;

/** For this user only. */
export const FILE_MODE = 0o600;

/**
 * Opens a file and takes its lock.
 * @param patienceMs longest time to wait for the lock
 * @returns the file, which has the lock until it is closed; null if another one has it
 * @throws ServerError `state-unwritable`
 */
export async function takeLock(file: string, patienceMs: number): Promise<FileHandle | null> {
  const handle = await open(file, 'a', FILE_MODE).catch((error: unknown) => {
    throw unwritable(dirname(file), error);
  });
  const deadline = performance.now() + patienceMs;
  while (!(await tryLock(handle, false))) {
    if (performance.now() >= deadline) {
      await handle.close();
      return null;
    }
    await delay(RETRY_MS);
  }
  return handle;
}

/**
 * True if another open file has a lock on a file or a part of it.
 * @param isShared such checks do not refuse each other, and do not find shared locks of others
 */
export async function isLocked(file: string, isShared = true, offset = 0, length = 0): Promise<boolean> {
  const handle = await open(file, isShared ? 'r' : 'r+').catch(instead(null, 'ENOENT', 'EACCES', 'EROFS'));
  if (handle === null) return false;
  try {
    return !(await tryLock(handle, isShared, offset, length));
  } finally {
    await handle.close();
  }
}

/** The library is loaded here, because commands on a configured server need no lock. */
async function tryLock({ fd }: FileHandle, shared: boolean, offset = 0, length = 0): Promise<boolean> {
  const library = await import('fs-native-extensions');
  return library.tryLock(fd, offset, length, { shared });
}

export function unwritable(folder: string, error: unknown): ServerError {
  return new ServerError(
    'state-unwritable',
    `cannot write the server's state to ${folder} (${firstLine(error)}); run in a folder that you may write to`,
  );
}
