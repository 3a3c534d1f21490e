/**
 * The state file of a folder's server, which is also the lock that keeps two servers off one database file.
 *
 * Two dev servers on one file start without a word, so exactly one process may start one. State files are numbered
 * generations, `server.<n>.json`, and only the highest counts. Taking over a stale generation n means creating n + 1
 * exclusively (`wx`): of two processes that find n stale one succeeds, and nothing is deleted that another may have
 * just made, which is what makes "delete the stale lock, then create it" unsafe. A generation is removed only once
 * a higher one is there, so numbers never repeat.
 */

import { chmod, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { Connection } from '@temporalio/client';
import { makeFolders, writeFileAtomically, parsedJson } from '../../io/index.ts';
import { firstLine, systemErrorCode, instead } from '../../errors/index.ts';
import { ServerError } from '../errors.ts';

/**
 * - `starting`: `pid` is the command that starts the server on these ports.
 * - `running`: `pid` is the server.
 * - `stopped`: kept for the ports, so that the next start is found where the last one was.
 */
export interface ServerRecord {
  readonly status: 'starting' | 'running' | 'stopped';
  readonly pid: number;
  readonly port: number;
  readonly uiPort: number;
  readonly cliVersion: string;
  readonly serverVersion: string;
  readonly dbFile: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Process of the `tauflow server` that the server ends with; absent: it outlives its command. */
  readonly owner?: number;
}

/** A state file as it is; `record` is null when there is nothing to read in it. */
export interface Generation {
  readonly number: number;
  readonly record: ServerRecord | null;
}

const namePattern = /^server\.(\d+)\.json$/;

/** Time that a state file may stay empty before its writer counts as dead, in ms. */
const emptyFileMs = 2_000;

export function stateDirOf(workDir: string): string {
  return join(workDir, '.tauflow');
}

/** The server's database has every conversation: only this user reads it. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** @throws ServerError `state-unwritable` */
export async function makeStateDir(stateDir: string): Promise<void> {
  try {
    await makeFolders(stateDir, FOLDER_MODE);
    // Earlier versions have left it open to others.
    await closeToOthers(stateDir, FOLDER_MODE);
    // A folder of results and databases that nobody means to commit.
    await writeFile(join(stateDir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return;
    throw new ServerError(
      'state-unwritable',
      `cannot write the server's state to ${stateDir} (${firstLine(error)}); run in a folder that you may write to`,
    );
  }
}

/** Leaves what is not there, and what another user owns: that is for its owner to decide. */
export async function closeToOthers(path: string, mode = FILE_MODE): Promise<void> {
  await chmod(path, mode).catch(instead(undefined, 'ENOENT', 'EPERM', 'ENOTSUP'));
}

/** The generation that counts, or null in a folder that never had a server. */
export async function readNewest(stateDir: string): Promise<Generation | null> {
  const deadline = performance.now() + emptyFileMs;
  for (;;) {
    const number = (await listGenerations(stateDir)).at(-1);
    if (number === undefined) return null;
    const record = await readRecord(stateDir, number);
    if (record === 'gone') continue;
    if (record !== 'empty') return { number, record };
    // Between creating and writing: the writer needs a moment.
    if (performance.now() >= deadline) return { number, record: null };
    await delay(20);
  }
}

/**
 * Creates the next generation.
 *
 * @param stale the generation that was judged stale, or null when there was none
 * @returns null when another process was quicker
 */
export async function claim(
  stateDir: string,
  stale: Generation | null,
  record: ServerRecord,
): Promise<Generation | null> {
  const number = (stale?.number ?? 0) + 1;
  try {
    const file = await open(fileOf(stateDir, number), 'wx');
    try {
      await file.writeFile(serialise(record));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return null;
    throw error;
  }
  const generation = { number, record };
  if (!(await isNewest(stateDir, generation))) {
    // Our stale generation was old news: others have come and gone since it was read.
    await rm(fileOf(stateDir, number), { force: true });
    return null;
  }
  for (const older of await listGenerations(stateDir)) {
    if (older < number) await rm(fileOf(stateDir, older), { force: true });
  }
  return generation;
}

/** True if nobody has taken the generation over. */
export async function isNewest(stateDir: string, generation: Generation): Promise<boolean> {
  return (await listGenerations(stateDir)).at(-1) === generation.number;
}

/** Replaces the record of a generation that is ours, atomically. */
export async function update(stateDir: string, generation: Generation, record: ServerRecord): Promise<Generation> {
  await writeFileAtomically(fileOf(stateDir, generation.number), serialise(record));
  return { number: generation.number, record };
}

function serialise(record: ServerRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function fileOf(stateDir: string, number: number): string {
  return join(stateDir, `server.${number}.json`);
}

/** Lists the generations in ascending order. */
async function listGenerations(stateDir: string): Promise<number[]> {
  const names = await readdir(stateDir).catch(instead([], 'ENOENT'));
  const numbers = names.flatMap((name) => {
    const number = namePattern.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.sort((a, b) => a - b);
}

async function readRecord(stateDir: string, number: number): Promise<ServerRecord | null | 'gone' | 'empty'> {
  const text = await readFile(fileOf(stateDir, number), 'utf8').catch(instead(null, 'ENOENT'));
  if (text === null) return 'gone';
  if (text === '') return 'empty';
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
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

type Server = Pick<Connection, 'withDeadline' | 'workflowService'>;

/** Interval of checks, in ms: a server that dies is away for longer before another one has its port. */
const lookMs = 1_000;
const answerMs = 3_000;
/** Interval at which work that waits for the server checks for it, in ms. */
const confirmMs = 100;

export interface IdentityWatch {
  /** Rejects with a ServerError when another server has the address. Never resolves. */
  readonly lost: Promise<never>;
  /**
   * Resolves at once while the server is known to be the same, and when it is known again after it was away.
   * @throws ApplicationFailure, retryable, when it is another server: its own workers take the work
   */
  confirm(): Promise<void>;
  stop(): void;
}

/** Watches the server by the id of its namespace, which is made with its database and stays. */
export async function watchIdentity(server: Server, address: string, namespace: string): Promise<IdentityWatch> {
  const own = await namespaceId(server, namespace);
  const stop = new AbortController();
  let state: 'same' | 'away' | 'other' = 'same';
  let reject: (error: ServerError) => void = () => undefined;
  const lost = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // Whoever waits for it sees it; until then it must not count as unhandled.
  lost.catch(() => undefined);

  const look = async (): Promise<void> => {
    const found = await namespaceId(server, namespace).catch(() => null);
    state = found === null ? 'away' : found === own ? 'same' : 'other';
    if (state === 'other') {
      stop.abort();
      reject(new ServerError('unreachable', otherServer(address)));
    }
  };
  void (async () => {
    while (!stop.signal.aborted) {
      await delay(lookMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (!stop.signal.aborted) await look();
    }
  })();

  return {
    lost,
    async confirm() {
      while (state === 'away' && !stop.signal.aborted) await delay(confirmMs);
      if (state === 'other') throw ApplicationFailure.retryable(otherServer(address), 'OtherServer');
    },
    stop: () => stop.abort(),
  };
}

async function namespaceId(server: Server, namespace: string): Promise<string> {
  const { namespaceInfo } = await server.withDeadline(Date.now() + answerMs, () =>
    server.workflowService.describeNamespace({ namespace }),
  );
  return namespaceInfo?.id ?? '';
}

function otherServer(address: string): string {
  return `the Temporal server of this folder has ended, and that of another folder has its address ${address} now`;
}
