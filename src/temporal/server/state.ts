/** The state file of a folder's server, and the lock under which commands start and end the server. */

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, writeFileAtomically, parsedJson } from '../../io/index.ts';
import { systemErrorCode, instead } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';
import { isLocked, takeLock, unwritable } from './lock.ts';

/**
 * - `starting`: `pid` is the command that starts the server on these ports.
 * - `running`: `pid` is the server.
 * - `stopped`: the record has the ports, so that the next server starts at the same address.
 */
export interface ServerRecord {
  readonly status: 'starting' | 'running' | 'stopped';
  readonly pid: number;
  readonly port: number;
  readonly uiPort: number;
  readonly cliVersion: string;
  readonly serverVersion: string;
  readonly dbFile: string;
  /** Start of the server, ISO 8601, UTC. */
  readonly startedAt: string;
  /** Process of the `tauflow server` that the server ends with; absent: the server outlives its command. */
  readonly owner?: number;
}

/** Time limit for another command to start or end the server, in ms. */
const PATIENCE_MS = 120_000;

export function toStateDir(workDir: string): string {
  return join(workDir, '.tauflow');
}

function toLockFile(stateDir: string): string {
  return join(stateDir, 'server.lock');
}

function toStateFile(stateDir: string): string {
  return join(stateDir, 'server.json');
}

/** Mode of the folder: only this user may read it, because the server's database contains every conversation. */
const FOLDER_MODE = 0o700;

/** @throws ServerError `state-unwritable` */
export async function makeStateDir(stateDir: string): Promise<void> {
  try {
    await makeFolders(stateDir, FOLDER_MODE);
    // Earlier versions have left it open to other users.
    await chmod(stateDir, FOLDER_MODE).catch(instead(undefined, 'EPERM', 'ENOTSUP'));
    // A folder with results and databases that nobody wants to commit.
    await writeFile(join(stateDir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return;
    throw unwritable(stateDir, error);
  }
}

/**
 * Calls a function while no other command starts or ends the folder's server.
 * @throws ServerError `state-unwritable`; `start-failed` if another command has the lock for two minutes
 */
export async function withLock<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(toLockFile(stateDir), PATIENCE_MS);
  if (lock === null) {
    const { pid } = (await readRecord(stateDir)) ?? {};
    throw new ServerError(
      'start-failed',
      `another command has been starting or ending the Temporal server of ${stateDir} for two minutes (process ${pid ?? 'unknown'}); let it finish or end it, and try again`,
    );
  }
  try {
    return await work();
  } finally {
    await lock.close();
  }
}

/** True while a command starts or ends the folder's server. */
export async function isBusy(stateDir: string): Promise<boolean> {
  return isLocked(toLockFile(stateDir));
}

/** Reads the state of the folder's last server; null if it is missing or unreadable. */
export async function readRecord(stateDir: string): Promise<ServerRecord | null> {
  const value = parsedJson(await readFile(toStateFile(stateDir), 'utf8').catch(instead('', 'ENOENT')));
  return isRecord(value) ? value : null;
}

export async function writeRecord(stateDir: string, record: ServerRecord): Promise<void> {
  await writeFileAtomically(toStateFile(stateDir), `${JSON.stringify(record, null, 2)}\n`);
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof ServerRecord, unknown>>;
  return (
    (record.status === 'starting' || record.status === 'running' || record.status === 'stopped') &&
    [record.pid, record.port, record.uiPort].every((number) => Number.isSafeInteger(number) && Number(number) > 0) &&
    (record.owner === undefined || Number.isSafeInteger(record.owner)) &&
    [record.cliVersion, record.serverVersion, record.dbFile, record.startedAt].every((text) => typeof text === 'string')
  );
}
