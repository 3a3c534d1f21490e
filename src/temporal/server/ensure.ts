/**
 * The local Temporal server of a working folder: uses a running one, or starts one.
 *
 * Its database, log and state file are in `<workDir>/.tauflow/`. Two servers never have the same database file open,
 * and the next command always finds a server again, even after a `kill -9` of commands and servers.
 */

import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ServerError } from '../errors.ts';
import { findBinary, type Binary, type BinaryOptions } from './binary.ts';
import { endProcess, findServers, flagValue, isAlive, isHealthy, isServerProcess, signal } from './processes.ts';
import {
  choosePorts,
  defaultPort,
  defaultUiPort,
  isPortFree,
  launch,
  loopback,
  type Launched,
  type Ports,
} from './launch.ts';
import { isLocked, makeStateDir, readRecord, toStateDir, withLock, writeRecord, type ServerRecord } from './state.ts';

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
}

export interface LocalServer extends Omit<ServerRecord, 'status'> {
  /** Address for clients and workers: `host:port`. */
  readonly address: string;
  /** Address of Temporal UI: `http://host:port`. */
  readonly uiUrl: string;
  readonly logFile: string;
  /** True if this call started the server. */
  readonly started: boolean;
}

const defaultHungMs = 30_000;
/** Time in which a hanging server can end by itself, in ms. */
const hungGraceMs = 3_000;
/** Most attempts to find other ports. */
const maxCollisions = 5;

/**
 * Finds the folder's running server, or starts one on the same database and, if they are free, the same ports.
 * @throws ServerError `binary-missing`, `binary-unusable`, `start-failed`, `state-unwritable`
 */
export async function ensureServer(options: EnsureServerOptions): Promise<LocalServer> {
  const { server } = await findOrStart(options);
  return server;
}

interface FoundOrStarted {
  readonly server: LocalServer;
  /** Process of the server, if this call started it. */
  readonly child: Launched['child'] | null;
}

/**
 * Works like {@link ensureServer}, and also returns the process, for a caller that runs as long as the process.
 * @throws ServerError also `port-taken` and `database-in-use` for a requested port or database
 */
export async function findOrStart(options: StartOptions): Promise<FoundOrStarted> {
  await makeStateDir(toStateDir(resolve(options.workDir)));
  const stateDir = await findStateDir(options.workDir);
  const found = await findHealthy(stateDir, 0);
  if (found !== null) return { server: found, child: null };
  // Without the lock, because a download or build can take minutes.
  const binary = await findBinary(options);
  return withLock(stateDir, async () => {
    const server = await findHealthy(stateDir, options.hungMs ?? defaultHungMs);
    if (server !== null) return { server, child: null };
    for (let collisions = 1; ; collisions++) {
      try {
        return await start(stateDir, binary, options);
      } catch (error) {
        // Another program may bind a port after it was found free.
        const isCollision = error instanceof ServerError && error.kind === 'port-taken';
        if (!isCollision || collisions === maxCollisions) throw error;
      }
    }
  });
}

/** Returns the running server of a folder, or null; never starts one. Waits for a starting one. */
export async function findServer(workDir: string): Promise<LocalServer | null> {
  const stateDir = await findStateDir(workDir);
  if (!(await hasState(stateDir))) return null;
  return (await findHealthy(stateDir, 0)) ?? withLock(stateDir, () => findHealthy(stateDir, defaultHungMs));
}

/** True if a server was started for the folder, or is being started. */
export async function hasState(stateDir: string): Promise<boolean> {
  return (await readRecord(stateDir)) !== null || (await isLocked(stateDir));
}

/**
 * Returns the state folder, by the working folder's path without links, because servers are found by their database's
 * path.
 */
export async function findStateDir(workDir: string): Promise<string> {
  return toStateDir(await realpath(resolve(workDir)).catch(() => resolve(workDir)));
}

export function toLocalServer(stateDir: string, record: ServerRecord, started: boolean): LocalServer {
  const { pid, port, uiPort, cliVersion, serverVersion, dbFile, startedAt } = record;
  const address = `${loopback}:${port}`;
  const uiUrl = `http://${loopback}:${uiPort}`;
  const logFile = toLogFile(stateDir);
  return { pid, port, uiPort, address, uiUrl, cliVersion, serverVersion, dbFile, logFile, startedAt, started };
}

/** True if the server's process runs; a reused pid counts as ended. */
export async function isRunning(record: ServerRecord): Promise<boolean> {
  if (record.status !== 'running' || !(await isAlive(record.pid))) return false;
  return (await isServerProcess(record.pid, record.dbFile)) !== false;
}

function toLogFile(stateDir: string): string {
  return join(stateDir, 'server.log');
}

/** Finds the folder's server if it answers. @param hungMs longest time without an answer */
async function findHealthy(stateDir: string, hungMs: number): Promise<LocalServer | null> {
  const record = await readRecord(stateDir);
  if (record === null) return null;
  const server = toLocalServer(stateDir, record, false);
  return (await becomesHealthy(server.address, () => isRunning(record), hungMs)) ? server : null;
}

/** Polls until the server answers. @returns false if it has ended or hangs */
async function becomesHealthy(address: string, isThere: () => Promise<boolean>, hungMs: number): Promise<boolean> {
  const deadline = performance.now() + hungMs;
  do {
    if (!(await isThere())) return false;
    if (await isHealthy(address, 3_000)) return true;
    await delay(50);
  } while (performance.now() < deadline);
  return false;
}

/**
 * Returns the name of the database's file. Each server version has its own file, because SQLite files are not migrated
 * between versions. A server with fairness has its own file, too, because it does not see tasks in the queues of a
 * server without fairness (measured: their sweep waits forever).
 */
function dbName(serverVersion: string): string {
  return `temporal-${serverVersion}-fair.db`;
}

/** Starts the server, replaces a hanging one, or finds a server on the same database. Needs the lock. */
async function start(stateDir: string, binary: Binary, options: StartOptions): Promise<FoundOrStarted> {
  const { cliVersion, serverVersion } = binary;
  const dbFile = resolve(options.dbFile ?? join(stateDir, dbName(serverVersion)));
  const last = await readRecord(stateDir);
  if (last !== null && (await isRunning(last))) await endHung(last);
  // With the ports of the last start, links to the UI still work, and running workers reconnect.
  const ports = await choosePorts(options.ports ?? {}, {
    port: last?.port ?? defaultPort,
    uiPort: last?.uiPort ?? defaultUiPort,
  });
  const startedAt = new Date().toISOString();
  const versions = { cliVersion, serverVersion };
  const record: ServerRecord = { status: 'starting', pid: process.pid, ...ports, ...versions, dbFile, startedAt };
  await writeRecord(stateDir, record);
  let launched: Launched | null = null;
  try {
    const adopted = await adoptOther(dbFile, options);
    if (adopted === null) {
      options.onProgress?.(`starting a local Temporal server at ${loopback}:${ports.port}`);
      const { env, onSpawn, maxConcurrency = 0 } = options;
      launched = await launch({ binary, ports, dbFile, logFile: toLogFile(stateDir), env, maxConcurrency, onSpawn });
    }
    const running: ServerRecord = { ...record, status: 'running', ...(adopted ?? { pid: launched?.pid ?? 0 }) };
    await writeRecord(stateDir, running);
    return { server: toLocalServer(stateDir, running, launched !== null), child: launched?.child ?? null };
  } catch (error) {
    if (launched !== null) signal(launched.pid, 'SIGKILL');
    await writeRecord(stateDir, { ...record, status: 'stopped' });
    throw error;
  }
}

/**
 * Handles a server on the database without a state file, whose command was killed before it wrote the file. A server
 * that answers is used; a hanging one is ended.
 */
async function adoptOther(dbFile: string, options: StartOptions): Promise<(Ports & { pid: number }) | null> {
  for (const { pid, args } of (await findServers(dbFile)) ?? []) {
    const port = Number(flagValue(args, '--port') ?? flagValue(args, '-p') ?? defaultPort);
    const uiPort = Number(flagValue(args, '--ui-port') ?? port + 1_000);
    if (!(await becomesHealthy(`${loopback}:${port}`, () => isAlive(pid), options.hungMs ?? defaultHungMs))) {
      await endProcess(pid, hungGraceMs);
    } else if (options.dbFile === undefined) {
      return { pid, port, uiPort };
    } else {
      throw new ServerError(
        'database-in-use',
        `the Temporal server at port ${port} (pid ${pid}) has ${dbFile} open already; use it, or end it first`,
      );
    }
  }
  return null;
}

/** Ends a server of this program that does not answer, because two servers must not open one file. */
async function endHung(record: ServerRecord): Promise<void> {
  const isOurs = await isServerProcess(record.pid, record.dbFile);
  if (isOurs === true) return endProcess(record.pid, hungGraceMs);
  // The system does not show whose process it is. If it is our server, it holds the port.
  if (isOurs === null && !(await isPortFree(record.port))) {
    throw new ServerError(
      'start-failed',
      `the local Temporal server (pid ${record.pid}) does not answer at port ${record.port}; end that process and try again`,
    );
  }
}
