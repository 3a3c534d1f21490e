/** The local server's database as its files show it: SQLite with a write-ahead log. */

import { stat } from 'node:fs/promises';
import type { ServerRecord } from './state.ts';

/** A write-ahead log that is written back never comes near this size, in bytes. */
const STUCK_BYTES = 256 * 1024 * 1024;
/** Time that the database has not been written to, though the log was; else it is every few seconds, in ms. */
const STUCK_MS = 60_000;
/** A server that starts reads the whole log first; the part that a busy machine reads in a millisecond, in bytes. */
const READ_BYTES_PER_MS = 50_000;

/**
 * True if SQLite no longer writes its write-ahead log back, which it does for every 1,000 pages. Seen on an overloaded machine, after
 * the server had given up updates whose time had run out, as if one of them had left a query open: the log grew by 2 MB
 * an episode, every query read through it, and only a new start of the server ended that.
 * @param startedAt of the server, ISO 8601
 */
export async function isWalStuck({ dbFile, startedAt }: Pick<ServerRecord, 'dbFile' | 'startedAt'>): Promise<boolean> {
  const [database, log] = await Promise.all([look(dbFile), look(walOf(dbFile))]);
  const writtenBackAtMs = Math.max(database.changedAtMs, Date.parse(startedAt));
  return log.size > STUCK_BYTES && log.changedAtMs - writtenBackAtMs > STUCK_MS;
}

/** Time that a server may take to read its log before it is ready, in ms. */
export async function recoveryMs(dbFile: string): Promise<number> {
  return (await look(walOf(dbFile))).size / READ_BYTES_PER_MS;
}

function walOf(dbFile: string): string {
  return `${dbFile}-wal`;
}

async function look(file: string): Promise<{ readonly size: number; readonly changedAtMs: number }> {
  return stat(file).then(
    ({ size, mtimeMs }) => ({ size, changedAtMs: mtimeMs }),
    () => ({ size: 0, changedAtMs: 0 }),
  );
}
