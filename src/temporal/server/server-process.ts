/**
 * The process that serves a database, and its lock on it. The process inherits the lock from the command that starts it
 * and keeps it to its end, so the lock shows whether a server has the database open. The lock's file contains its pid.
 */

import { readFile, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { instead } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';
import { isOpen } from './database.ts';
import { isLocked, takeLock } from './lock.ts';
import { isAlive, readCommandLine, signal } from './processes.ts';
import type { ServerRecord } from './state.ts';

const IS_WINDOWS = process.platform === 'win32';

/** Time limit for steps that take a few milliseconds, such as the write of the pid, in ms. */
const STEP_MS = 2_000;
const POLL_MS = 25;

/** File descriptor of the lock in the server's process. */
const LOCK_FD = 3;

/**
 * Time by which the server's threads may sleep longer than requested, in ns. A thread of Go's runtime monitors the
 * other threads. It sleeps for 20 µs at a time while they begin and end work, which is a sixth of the server's CPU time
 * with few open episodes. Go has no setting for it.
 */
const TIMER_SLACK_NS = 4_000_000;

/**
 * Becomes the server after it has written its pid, so that a server with the lock always has its pid in the file. Its
 * files are for this user only. Only Linux has the timer slack.
 */
const SCRIPT = `
umask 077
{ echo ${TIMER_SLACK_NS} >/proc/self/timerslack_ns; } 2>/dev/null
echo $$ >&${LOCK_FD} && exec "$0" "$@"`;

/** Returns the command that runs a server's program with the lock as its file {@link LOCK_FD}. */
export function withPid(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  return IS_WINDOWS ? [program, args] : ['/bin/sh', ['-c', SCRIPT, program, ...args]];
}

/**
 * Takes the lock for a server that is about to start.
 * @throws ServerError `database-in-use` if another process has the database open, `state-unwritable`
 */
export async function lockDatabase(dbFile: string): Promise<FileHandle> {
  const lock = await takeLock(toLockFile(dbFile), STEP_MS);
  if (lock === null) throw inUse(dbFile, await findServerPid(dbFile));
  try {
    await lock.truncate();
    // A server that a person or an earlier version has started does not have the lock, and one that is just ending may
    // have lost it.
    const deadline = performance.now() + STEP_MS;
    while (await isOpen(dbFile)) {
      if (performance.now() >= deadline) throw inUse(dbFile, null);
      await delay(POLL_MS);
    }
  } catch (error) {
    await lock.close();
    throw error;
  }
  return lock;
}

export function inUse(dbFile: string, pid: number | null): ServerError {
  const user = pid === null ? 'another process' : `a Temporal server (pid ${pid})`;
  return new ServerError('database-in-use', `${user} has the database ${dbFile} open; end it first, or use its server`);
}

/**
 * Returns the pid of the server that has a database open; null if none has.
 * @param record of the folder's last server, for a server without a lock: that of an earlier version, or on Windows,
 * where a process does not inherit locks
 */
export async function findServerPid(dbFile: string, record: ServerRecord | null = null): Promise<number | null> {
  const lockFile = toLockFile(dbFile);
  const deadline = performance.now() + STEP_MS;
  while (!IS_WINDOWS && (await isLocked(lockFile)) && performance.now() < deadline) {
    const pid = Number.parseInt(await readFile(lockFile, 'utf8').catch(instead('', 'ENOENT')), 10);
    if (pid > 0) return pid;
    await delay(POLL_MS);
  }
  if (record?.status !== 'running' || record.dbFile !== dbFile) return null;
  return (await isServing(record.pid, dbFile)) ? record.pid : null;
}

/** True if a process of this machine has a database's path on its command line, or at least runs if none is shown. */
async function isServing(pid: number, dbFile: string): Promise<boolean> {
  return (await readCommandLine(pid))?.includes(dbFile) ?? isAlive(pid);
}

/**
 * Ends the server of a database: sends SIGTERM, and SIGKILL if it still runs after a while.
 * @param graceMs time between the two signals
 * @returns its pid; null if none ran
 * @throws ServerError `stop-failed` if it still runs, or runs elsewhere
 */
export async function endServer(
  dbFile: string,
  record: ServerRecord | null = null,
  graceMs = 10_000,
): Promise<number | null> {
  const pid = await findServerPid(dbFile, record);
  if (pid === null) return null;
  if (!(await isServing(pid, dbFile)) && (await findServerPid(dbFile, record)) === pid) {
    throw new ServerError(
      'stop-failed',
      `the Temporal server of ${dbFile} runs on another machine or in another container, as process ${pid}; end it there`,
    );
  }
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    signalServer(pid, name);
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      if ((await findServerPid(dbFile, record)) !== pid) return pid;
      await delay(POLL_MS);
    }
  }
  throw new ServerError('stop-failed', `process ${pid} does not end; look at what it waits for`);
}

/** Sends the signal to the server's process group, because `temporal` may be a script that runs the server. */
export function signalServer(pid: number, name: NodeJS.Signals): void {
  signal(IS_WINDOWS ? pid : -pid, name);
}

/** True if the server that the record shows as ready runs. */
export async function isRunning(record: ServerRecord): Promise<boolean> {
  return record.status === 'running' && (await findServerPid(record.dbFile, record)) === record.pid;
}

/** Ends the server that the record shows, also one whose command was killed before it was ready. See {@link endServer}. */
export async function endRecorded(record: ServerRecord, graceMs?: number): Promise<number | null> {
  const isShown = record.status === 'starting' || (await isRunning(record));
  return isShown ? endServer(record.dbFile, record, graceMs) : null;
}

function toLockFile(dbFile: string): string {
  return `${dbFile}.lock`;
}
