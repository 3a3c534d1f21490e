/** The local server's database, SQLite with a write-ahead log: problems that its files show. */

import { open, rename, stat } from 'node:fs/promises';
import { instead } from '../../errors/index.ts';
import { isLocked } from './lock.ts';
import type { ServerRecord } from './state.ts';

/** Size of the write-ahead log that a working server never reaches, in bytes. */
const STUCK_BYTES = 256 * 1024 * 1024;
/** Time without a write to the database while the log grew, in ms; usually it is a few seconds. */
const STUCK_MS = 60_000;
/** Speed at which a starting server reads the whole log on a busy machine, in bytes per millisecond. */
const READ_BYTES_PER_MS = 50_000;

/**
 * True if SQLite no longer copies its write-ahead log into the database, which it normally does every 1,000 pages. This
 * was seen on an overloaded machine after updates of the server had timed out: the log grew by 2 MB per episode, every
 * query read through it, until the server was restarted.
 * @param startedAt start of the server, ISO 8601
 */
export async function isWalStuck({ dbFile, startedAt }: Pick<ServerRecord, 'dbFile' | 'startedAt'>): Promise<boolean> {
  const [database, log] = await Promise.all([look(dbFile), look(toWalFile(dbFile))]);
  const writtenBackAtMs = Math.max(database.changedAtMs, Date.parse(startedAt));
  return log.size > STUCK_BYTES && log.changedAtMs - writtenBackAtMs > STUCK_MS;
}

/** Returns the longest time for a server to read its log before it is ready, in ms. */
export async function recoveryMs(dbFile: string): Promise<number> {
  return (await look(toWalFile(dbFile))).size / READ_BYTES_PER_MS;
}

/** `SHARED_FIRST` and `SHARED_SIZE` of SQLite: bytes that it locks while it has a database with such a log open. */
const SHARED_LOCK = [0x40000002, 510] as const;

/** True if any process has the database open. Tried on Linux only, where SQLite's locks and ours exclude each other. */
export async function isOpen(dbFile: string): Promise<boolean> {
  return isLocked(dbFile, false, ...SHARED_LOCK);
}

const HEADER = 'SQLite format 3\0';

/**
 * Checks by its header that a file is a whole SQLite database. SQLite would treat an empty file as a new database
 * without the server's tables.
 * @returns a description of the damage; null for a file that looks whole or does not exist
 */
export async function findDamage(dbFile: string): Promise<string | null> {
  const { size } = await look(dbFile);
  const file = await open(dbFile, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const header = Buffer.alloc(100);
    const { bytesRead } = await file.read(header, 0, header.length, 0);
    if (bytesRead === 0) return 'it is empty';
    if (bytesRead < header.length || header.toString('latin1', 0, HEADER.length) !== HEADER) {
      return 'it is no SQLite database';
    }
    // The part that its end lacks may be in the write-ahead log.
    if ((await look(toWalFile(dbFile))).size > 0) return null;
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    return size < pageSize * header.readUInt32BE(28) ? 'its end is missing' : null;
  } finally {
    await file.close();
  }
}

/** Suffixes of the files of a database, which a killed server leaves behind. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Renames a database with the time. No server may have it open.
 * @returns the new name; null if there was no database
 */
export async function setAside(dbFile: string, now: Date): Promise<string | null> {
  const aside = `${dbFile}.${now.toISOString().replace(/[:.]/g, '-')}`;
  let isMoved = false;
  for (const part of PARTS) {
    const moved = rename(`${dbFile}${part}`, `${aside}${part}`).then(() => isMoved || part === '');
    isMoved = await moved.catch(instead(isMoved, 'ENOENT'));
  }
  return isMoved ? aside : null;
}

function toWalFile(dbFile: string): string {
  return `${dbFile}-wal`;
}

async function look(file: string): Promise<{ readonly size: number; readonly changedAtMs: number }> {
  return stat(file).then(
    ({ size, mtimeMs }) => ({ size, changedAtMs: mtimeMs }),
    () => ({ size: 0, changedAtMs: 0 }),
  );
}
