/**
 * The local Temporal server of a working folder: uses a running one, or starts one.
 *
 * Its database, log and state file are in `<workDir>/.tauflow/`. Two servers never have the same database file open,
 * and the next command always finds a server again, even after a `kill -9` of commands and servers.
 */

import { realpath } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerError } from '../errors.ts';
import { findBinary, type Binary, type BinaryOptions } from './binary.ts';
import { isHealthy } from './health.ts';
import { launch } from './launch.ts';
import { DEFAULT_PORT, DEFAULT_UI_PORT, LOOPBACK, choosePorts, type Ports } from './ports.ts';
import { endRecorded, endServer, isRunning, signalServer } from './server-process.ts';
import { isBusy, makeStateDir, readRecord, toStateDir, withLock, writeRecord, type ServerRecord } from './state.ts';

export interface EnsureServerOptions extends BinaryOptions {
  /** The server's working folder. */
  readonly workDir: string;
  /** Longest time without an answer before a running server is restarted, in ms. @default 30,000 */
  readonly hungMs?: number;
  /** Number of episodes that the command opens at once, for the caches of a server that it starts. @default unknown */
  readonly maxConcurrency?: number;
  /** Called after the server's process has started; the caller can work until it is ready. */
  readonly onSpawn?: () => void;
}

export interface StartOptions extends EnsureServerOptions {
  /** Required ports. @default 7233 and 8233, or those of the last start, if they are free; otherwise others */
  readonly ports?: Partial<Ports>;
  /** File of the database. @default see {@link dbName} */
  readonly dbFile?: string;
  /** Process of the `tauflow server` that the server ends with. @default the server outlives its command */
  readonly owner?: number;
}

export interface LocalServer extends ServerRecord {
  /** Address for clients and workers: `host:port`. */
  readonly address: string;
  /** Address of Temporal UI: `http://host:port`. */
  readonly uiUrl: string;
  readonly logFile: string;
  /** True if this call started the server. */
  readonly started: boolean;
}

const DEFAULT_HUNG_MS = 30_000;
/** Time in which a hanging server can end by itself, in ms. */
const HUNG_GRACE_MS = 3_000;
/** Time limit of each request that checks a server, in ms. */
const ANSWER_MS = 3_000;
const POLL_MS = 50;
/** Most attempts to find other ports. */
const MAX_COLLISIONS = 5;

/**
 * Finds the folder's running server, or starts one on the same database and, if they are free, the same ports.
 * @throws ServerError `binary-missing`, `binary-unusable`, `start-failed`, `state-unwritable`, `database-in-use`
 */
export async function ensureServer(options: EnsureServerOptions): Promise<LocalServer> {
  const { server } = await findOrStart(options);
  return server;
}

interface FoundOrStarted {
  readonly server: LocalServer;
  /** Process of the server, if this call started it. */
  readonly child: ChildProcess | null;
}

/**
 * Works like {@link ensureServer}, and also returns the process, for a caller that runs as long as the process.
 * @throws ServerError also `port-taken` for a requested port
 */
export async function findOrStart(options: StartOptions): Promise<FoundOrStarted> {
  await makeStateDir(toStateDir(resolve(options.workDir)));
  const stateDir = await findStateDir(options.workDir);
  const found = await findHealthy(stateDir, 0);
  if (found !== null) return { server: found, child: null };
  // Without the lock, because a download or build can take minutes.
  const binary = await findBinary(options);
  return withLock(stateDir, async () => {
    const server = await findHealthy(stateDir, options.hungMs ?? DEFAULT_HUNG_MS);
    if (server !== null) return { server, child: null };
    for (let collisions = 1; ; collisions++) {
      try {
        return await start(stateDir, binary, options);
      } catch (error) {
        // Another program may bind a port after it was found free.
        const isCollision = error instanceof ServerError && error.kind === 'port-taken';
        if (!isCollision || collisions === MAX_COLLISIONS) throw error;
      }
    }
  });
}

/** Returns the running server of a folder, or null; never starts one. Waits for a starting one. */
export async function findServer(workDir: string): Promise<LocalServer | null> {
  const stateDir = await findStateDir(workDir);
  if (!(await hasState(stateDir))) return null;
  return (await findHealthy(stateDir, 0)) ?? withLock(stateDir, () => findHealthy(stateDir, DEFAULT_HUNG_MS));
}

/** True if a server was started for the folder, or is being started. */
export async function hasState(stateDir: string): Promise<boolean> {
  return (await readRecord(stateDir)) !== null || (await isBusy(stateDir));
}

/** Finds the state folder by the working folder's path without links, so that its database has one path. */
export async function findStateDir(workDir: string): Promise<string> {
  return toStateDir(await realpath(resolve(workDir)).catch(() => resolve(workDir)));
}

export function toLocalServer(stateDir: string, record: ServerRecord, started: boolean): LocalServer {
  const address = `${LOOPBACK}:${record.port}`;
  const uiUrl = `http://${LOOPBACK}:${record.uiPort}`;
  return { ...record, address, uiUrl, logFile: toLogFile(stateDir), started };
}

function toLogFile(stateDir: string): string {
  return join(stateDir, 'server.log');
}

/**
 * Finds the folder's server if it answers.
 * @param hungMs longest time without an answer
 */
async function findHealthy(stateDir: string, hungMs: number): Promise<LocalServer | null> {
  const record = await readRecord(stateDir);
  if (record === null) return null;
  const server = toLocalServer(stateDir, record, false);
  const deadline = performance.now() + hungMs;
  do {
    if (!(await isRunning(record))) return null;
    if (await isHealthy(server.address, ANSWER_MS)) return server;
    await delay(POLL_MS);
  } while (performance.now() < deadline);
  return null;
}

/**
 * Returns the name of the database's file. Each server version has its own file, because SQLite files are not migrated
 * between versions. A server with fairness has its own file, too, because it does not see tasks in the queues of a
 * server without fairness (measured: their sweep waits forever).
 */
function dbName(serverVersion: string): string {
  return `temporal-${serverVersion}-fair.db`;
}

/** Starts the server after it has ended one that hangs, or that is not recorded as ready. Needs the lock. */
async function start(stateDir: string, binary: Binary, options: StartOptions): Promise<FoundOrStarted> {
  const { cliVersion, serverVersion } = binary;
  const { env, owner, onSpawn, maxConcurrency = 0 } = options;
  const usualFile = join(stateDir, dbName(serverVersion));
  const dbFile = resolve(options.dbFile ?? usualFile);
  const last = await readRecord(stateDir);
  if (last !== null) await endRecorded(last, HUNG_GRACE_MS);
  // No command uses such a server: the one that started it was killed before it was ready, or its state file is gone.
  if (dbFile === usualFile) await endServer(dbFile, null, HUNG_GRACE_MS);
  // With the ports of the last start, links to the UI still work, and running workers reconnect.
  const ports = await choosePorts(options.ports ?? {}, {
    port: last?.port ?? DEFAULT_PORT,
    uiPort: last?.uiPort ?? DEFAULT_UI_PORT,
  });
  const startedAt = new Date().toISOString();
  const place = { ...ports, cliVersion, serverVersion, dbFile, startedAt, owner };
  await writeRecord(stateDir, { status: 'starting', pid: process.pid, ...place });
  let child: ChildProcess | null = null;
  try {
    options.onProgress?.(`starting a local Temporal server at ${LOOPBACK}:${ports.port}`);
    child = await launch({ binary, ports, dbFile, logFile: toLogFile(stateDir), env, maxConcurrency, onSpawn });
    const record: ServerRecord = { status: 'running', pid: child.pid ?? 0, ...place };
    await writeRecord(stateDir, record);
    return { server: toLocalServer(stateDir, record, true), child };
  } catch (error) {
    if (child?.pid !== undefined) signalServer(child.pid, 'SIGKILL');
    await writeRecord(stateDir, { status: 'stopped', pid: process.pid, ...place });
    throw error;
  }
}
