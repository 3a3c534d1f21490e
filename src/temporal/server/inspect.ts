/** Reports the state of Temporal on this machine and in this folder. Starts and changes nothing. */

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { firstLine, onError } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';
import { locateBinary, type Binary, type BinaryOptions } from './binary.ts';
import { findStateDir, toLocalServer, type LocalServer } from './ensure.ts';
import { isHealthy } from './health.ts';
import { isStopped } from './processes.ts';
import { isRunning } from './server-process.ts';
import { isBusy, readRecord } from './state.ts';

interface InspectOptions extends Pick<BinaryOptions, 'home' | 'env'> {
  readonly workDir: string;
}

export interface ServerInspection {
  readonly binary:
    | { readonly kind: 'found'; readonly binary: Binary }
    /** The CLI is not installed; the first start will download or build it. */
    | { readonly kind: 'missing' }
    /** `TEMPORAL_CLI_PATH` is wrong. */
    | { readonly kind: 'unusable'; readonly message: string };
  readonly server: LocalServerState;
}

export type LocalServerState =
  /** No server runs, which is fine: the next command starts one. */
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly server: LocalServer }
  /** The server's process exists and does not answer. */
  | { readonly kind: 'not-responding'; readonly server: LocalServer }
  | { readonly kind: 'starting'; readonly commandPid: number }
  /** The state file is of a killed server or command; the next command replaces it. */
  | { readonly kind: 'stale'; readonly pid: number; readonly reason: string };

/** Time limit for an answer, in ms. A server on a busy machine may take seconds. */
const ANSWER_MS = 5_000;

/** Inspects the server; takes seconds if it does not answer. `readConfiguration` reads the configured address. */
export async function inspectServer(options: InspectOptions): Promise<ServerInspection> {
  const stateDir = await findStateDir(options.workDir);
  const [binary, server] = await Promise.all([inspectBinary(options), inspectState(stateDir)]);
  return { binary, server };
}

async function inspectBinary(options: InspectOptions): Promise<ServerInspection['binary']> {
  return locateBinary(options).then(
    (binary) => (binary === null ? { kind: 'missing' } : { kind: 'found', binary }),
    onError((error) => ({ kind: 'unusable', message: firstLine(error) }), ServerError),
  );
}

async function inspectState(stateDir: string): Promise<LocalServerState> {
  const record = await readRecord(stateDir);
  if (record === null) return { kind: 'none' };
  if (await isRunning(record)) {
    const server = toLocalServer(stateDir, record, false);
    return { kind: (await isHealthy(server.address, ANSWER_MS)) ? 'running' : 'not-responding', server };
  }
  if (record.status === 'stopped') return { kind: 'none' };
  if (record.status === 'starting' && (await isBusy(stateDir))) return { kind: 'starting', commandPid: record.pid };
  const what = record.status === 'running' ? 'the server' : 'the command that started the server';
  return { kind: 'stale', pid: record.pid, reason: `${what} (pid ${record.pid}) ended without an error message` };
}

/** Free disk space that SQLite needs to write its log, in bytes. */
const LEAST_FREE = 8 * 1024 * 1024;

/** Finds a problem of a server that does not answer. @returns the problem with advice; null if none is visible */
export async function findTrouble({ pid, dbFile }: Pick<LocalServer, 'pid' | 'dbFile'>): Promise<string | null> {
  if (await isStopped(pid)) {
    return `the Temporal server (pid ${pid}) is stopped by a signal; \`kill -CONT ${pid}\` lets it continue`;
  }
  const folder = dirname(dbFile);
  const free = await freeBytes(folder);
  if (free !== null && free < LEAST_FREE) {
    return `the disk with the Temporal server's database is full (${folder}); free some space, and the server continues`;
  }
  return null;
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // The folder was removed or cannot be read, so nothing is known.
    return null;
  }
}
