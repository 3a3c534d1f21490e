/** Keeps the local server of a folder running for as long as a command needs it, and ends it. */

import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerError } from '../errors.ts';
import { isOpen, isWalStuck, setAside } from './database.ts';
import {
  ensureServer,
  findOrStart,
  findStateDir,
  hasState,
  type EnsureServerOptions,
  type LocalServer,
  type StartOptions,
} from './ensure.ts';
import { isAlive } from './processes.ts';
import { endRecorded, endServer, findServerPid, inUse, signalServer } from './server-process.ts';
import { readRecord, withLock, writeRecord } from './state.ts';

interface ForegroundOptions extends StartOptions {
  /** Called when the server is ready. */
  readonly onReady: (server: LocalServer) => void;
}

/** `interrupted` by a signal, or `stopped` by another command. */
type ForegroundEnd = { readonly kind: 'interrupted'; readonly signal: NodeJS.Signals } | { readonly kind: 'stopped' };

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the folder's server until it ends; other commands can use it. Replaces one whose `tauflow server` was killed.
 *
 * @throws ServerError `already-running` if the folder has one, `port-taken`, `database-in-use`, `start-failed` (also if
 *   the server dies later)
 */
export async function runServerForeground(options: ForegroundOptions): Promise<ForegroundEnd> {
  const stateDir = await findStateDir(options.workDir);
  let asked: NodeJS.Signals | null = null;
  let pid: number | null = null;
  const passOn = (name: NodeJS.Signals) => {
    asked ??= name;
    // The server has its own process group, so Ctrl-C in the terminal does not reach it directly.
    if (pid !== null) signalServer(pid, 'SIGTERM');
  };
  for (const name of PASSED_ON) process.on(name, passOn);
  try {
    const { owner } = (await readRecord(stateDir)) ?? {};
    if (owner !== undefined && !(await isAlive(owner))) await stopServer(options.workDir);
    const { server, child } = await findOrStart({ ...options, owner: process.pid });
    if (child === null) {
      throw new ServerError(
        'already-running',
        `a Temporal server runs for this folder already, at ${server.address} (pid ${server.pid}, UI ${server.uiUrl}); use it, or end it with \`tauflow server stop\``,
      );
    }
    child.ref();
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    pid = server.pid;
    if (asked === null) options.onReady(server);
    else signalServer(pid, 'SIGTERM');
    await ended;
    await withLock(stateDir, async () => {
      const record = await readRecord(stateDir);
      // Another command may have started it again.
      if (record?.pid === server.pid) await writeRecord(stateDir, { ...record, status: 'stopped' });
    });
    if (asked !== null) return { kind: 'interrupted', signal: asked };
    if (child.exitCode === 0) return { kind: 'stopped' };
    throw new ServerError(
      'start-failed',
      `the Temporal server at ${server.address} ended unexpectedly (${child.signalCode ?? `exit ${child.exitCode}`}); see ${server.logFile}`,
    );
  } finally {
    for (const name of PASSED_ON) process.off(name, passOn);
  }
}

/** @returns true if another command stopped the folder's server, after waiting for that command's lock */
async function wasStopped(workDir: string): Promise<boolean> {
  const stateDir = await findStateDir(workDir);
  return withLock(stateDir, async () => (await readRecord(stateDir))?.status === 'stopped');
}

/** Interval between two checks of the server's process, in ms. A check takes less than a millisecond. */
const LOOK_MS = 500;
/** Number of checks of the process for each check of the database. */
const LOOKS_PER_WAL = 20;

/**
 * Watches the server's process. If it dies, restarts the server on the same database and ports, so that clients and
 * workers reconnect. It also restarts a server with a stuck write-ahead log, but not a server that was stopped.
 *
 * @throws ServerError `unreachable` if the server was stopped, or is now at another address; errors of
 *   {@link ensureServer} if it cannot be restarted; the signal's reason if it is aborted
 */
export async function guardServer(
  server: LocalServer,
  options: EnsureServerOptions,
  signal: AbortSignal,
): Promise<never> {
  const { onProgress = () => {} } = options;
  let current = server;
  for (let looks = 1; ; looks++) {
    await delay(LOOK_MS, undefined, { signal });
    if ((await findServerPid(current.dbFile, current)) !== null) {
      if (looks % LOOKS_PER_WAL !== 0 || !(await isWalStuck(current))) continue;
      onProgress(
        'the local Temporal server no longer writes its write-ahead log back to its database; it is being restarted',
      );
      await endServer(current.dbFile, current);
    } else {
      if (await wasStopped(options.workDir)) {
        throw new ServerError('unreachable', `the local Temporal server at ${server.address} was stopped`);
      }
      onProgress(`the local Temporal server (pid ${current.pid}) has died`);
    }
    const revived = await ensureServer(options);
    if (revived.address !== server.address) {
      throw new ServerError(
        'unreachable',
        `the local Temporal server has moved from ${server.address}, which another program took, to ${revived.address}`,
      );
    }
    onProgress('it runs again; the run continues');
    current = revived;
  }
}

/**
 * @returns the pid of the ended server; null if none was running
 * @throws ServerError `stop-failed`
 */
export async function stopServer(workDir: string): Promise<number | null> {
  const stateDir = await findStateDir(workDir);
  if (!(await hasState(stateDir))) return null;
  return withLock(stateDir, async () => {
    const record = await readRecord(stateDir);
    if (record === null) return null;
    const pid = await endRecorded(record);
    if (record.status !== 'stopped') await writeRecord(stateDir, { ...record, status: 'stopped' });
    return pid;
  });
}

/**
 * Ends the folder's server and renames its database; the next command starts with a new one.
 * @param now time for the database's new name
 * @param dbFile @default the folder's last database
 * @returns the database's new name; null if there was none
 * @throws ServerError `stop-failed`, `database-in-use` if another folder's server uses it
 */
export async function resetServer(workDir: string, now: Date, dbFile?: string): Promise<string | null> {
  await stopServer(workDir);
  const record = await readRecord(await findStateDir(workDir));
  const file = dbFile === undefined ? record?.dbFile : resolve(workDir, dbFile);
  if (file === undefined) return null;
  const pid = await findServerPid(file);
  if (pid !== null || (await isOpen(file))) throw inUse(file, pid);
  return setAside(file, now);
}
