/** Keeps the local server of a folder running for as long as a command needs it, and ends it. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerError } from '../errors.ts';
import { isWalStuck, setAside } from './database.ts';
import {
  ensureServer,
  findOrStart,
  findStateDir,
  hasState,
  isRunning,
  toLocalServer,
  type EnsureServerOptions,
  type LocalServer,
  type StartOptions,
} from './ensure.ts';
import { endProcess, findServers, isAlive, isHealthy, isServerProcess, signal } from './processes.ts';
import { readRecord, withLock, writeRecord, type ServerRecord } from './state.ts';

interface ForegroundOptions extends StartOptions {
  /** Called when the server is ready. */
  readonly onReady: (server: LocalServer) => void;
}

/** `interrupted` by a signal, or `stopped` by another command. */
type ForegroundEnd = { readonly kind: 'interrupted'; readonly signal: NodeJS.Signals } | { readonly kind: 'stopped' };

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the folder's server until it ends; other commands can use it.
 *
 * @throws ServerError `already-running` if the folder has one, `port-taken`, `database-in-use`, `start-failed` (also if
 *   the server dies later)
 */
export async function runServerForeground(options: ForegroundOptions): Promise<ForegroundEnd> {
  let asked: NodeJS.Signals | null = null;
  let pid: number | null = null;
  const passOn = (name: NodeJS.Signals) => {
    asked ??= name;
    // The server has its own process group, so Ctrl-C in the terminal does not reach it directly.
    if (pid !== null) signal(pid, 'SIGTERM');
  };
  for (const name of passedOn) process.on(name, passOn);
  try {
    const { server, child } = await findOrStart(options);
    const isTakenOver = child === null && (await isOrphan(options, server));
    if (child === null && !isTakenOver) {
      throw new ServerError(
        'already-running',
        `a Temporal server runs for this folder already, at ${server.address} (pid ${server.pid}, UI ${server.uiUrl}); use it, or end it first`,
      );
    }
    const ended = child === null ? awaitProcessEnd(server.pid) : awaitExit(child);
    pid = server.pid;
    await note(options.workDir, pid, { owner: process.pid });
    if (isTakenOver) {
      options.onProgress?.(
        `the command of this folder's Temporal server (pid ${pid}) was killed; this command now manages it`,
      );
    }
    if (asked === null) options.onReady(server);
    else signal(pid, 'SIGTERM');
    await ended;
    const isStopped = child === null ? await wasStopped(options.workDir) : child.exitCode === 0;
    await note(options.workDir, server.pid, { status: 'stopped' });
    if (asked !== null) return { kind: 'interrupted', signal: asked };
    if (isStopped) return { kind: 'stopped' };
    throw new ServerError(
      'start-failed',
      `the Temporal server at ${server.address} ended unexpectedly${child === null ? '' : ` (${child.signalCode ?? `exit ${child.exitCode}`})`}; see ${server.logFile}`,
    );
  } finally {
    for (const name of passedOn) process.off(name, passOn);
  }
}

/** Resolves when a process that this process has started ends. */
async function awaitExit(child: ChildProcess): Promise<void> {
  child.ref();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Resolves when a process that another process has started ends. */
async function awaitProcessEnd(pid: number): Promise<void> {
  while (await isAlive(pid)) await delay(lookMs);
}

/** @returns true for a server whose `tauflow server` was killed, so that no process ends it */
async function isOrphan({ workDir, ports = {} }: ForegroundOptions, server: LocalServer): Promise<boolean> {
  const { port = server.port, uiPort = server.uiPort } = ports;
  if (port !== server.port || uiPort !== server.uiPort) return false;
  const record = await readRecord(await findStateDir(workDir));
  return record?.pid === server.pid && record.owner !== undefined && !(await isAlive(record.owner));
}

/** Changes the recorded state of the folder's server, unless another server runs now. */
async function note(workDir: string, pid: number, change: Pick<ServerRecord, 'owner'> | { status: 'stopped' }) {
  const stateDir = await findStateDir(workDir);
  await withLock(stateDir, async () => {
    const record = await readRecord(stateDir);
    if (record?.pid === pid) await writeRecord(stateDir, { ...record, ...change });
  });
}

/** @returns true if another command stopped the folder's server, after waiting for that command's lock */
async function wasStopped(workDir: string): Promise<boolean> {
  const stateDir = await findStateDir(workDir);
  return withLock(stateDir, async () => (await readRecord(stateDir))?.status === 'stopped');
}

/** Interval between two checks of the server's process, in ms. A check takes microseconds. */
const lookMs = 500;
/** Number of checks of the process for each check of the database. */
const looksPerWal = 20;

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
    await delay(lookMs, undefined, { signal });
    const { pid } = current;
    if (await isAlive(pid)) {
      if (looks % looksPerWal !== 0 || !(await isWalStuck(current))) continue;
      onProgress(
        'the local Temporal server no longer writes its write-ahead log back to its database; it is being restarted',
      );
      await endProcess(pid);
    } else {
      if (await wasStopped(options.workDir)) {
        throw new ServerError('unreachable', `the local Temporal server at ${server.address} was stopped`);
      }
      onProgress(`the local Temporal server (pid ${pid}) has died`);
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
    const pids = new Set<number>();
    // If the system does not show whose process it is, the server's answer does.
    const { address } = toLocalServer(stateDir, record, false);
    const isServer = await isServerProcess(record.pid, record.dbFile);
    if ((await isRunning(record)) && (isServer ?? (await isHealthy(address)))) pids.add(record.pid);
    for (const { pid } of (await findServers(record.dbFile)) ?? []) pids.add(pid);
    for (const pid of pids) await endProcess(pid);
    if (record.status !== 'stopped') await writeRecord(stateDir, { ...record, status: 'stopped' });
    const [first] = pids;
    return first ?? null;
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
  const [user] = dbFile === undefined ? [] : ((await findServers(file)) ?? []);
  if (user !== undefined) {
    const problem = `the database ${file} is in use by a server (pid ${user.pid}); end that server first`;
    throw new ServerError('database-in-use', problem);
  }
  return setAside(file, now);
}
