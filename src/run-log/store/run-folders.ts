/**
 * Folders and stores of runs that a worker reads and writes. An input identifies one by its path. The path may be
 * another folder on another machine, and anyone with access to the server can write inputs.
 */

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError, firstLine, systemErrorCode, instead } from '../../errors/index.ts';
import type { RunRef } from '../../evaluation/index.ts';
import { ResultsError, ResultsProblem, RunLog, isWithinStore, storeAddress } from '../index.ts';
import type { LogStore } from './log-store.ts';
import type { RunPart } from './parts.ts';
import { openRunLogs, type RunLogs } from './run-logs.ts';

/** Error of a run's folder or store that this worker does not see; another worker may see it. */
export class RunLogElsewhereError extends Error {
  override readonly name = 'RunLogElsewhereError';

  constructor(
    /** Path of the folder or file, or address in a store. */
    readonly place: string,
    /** The `--log-dir` that a worker needs for the work. */
    readonly root: string,
    /** Reason why this worker cannot use it, a phrase with the worker as subject. */
    readonly reason: string,
  ) {
    super(`${place}: this worker ${reason}`);
  }

  /** Describes the worker that the work needs. */
  get need(): string {
    return isAddress(this.root) ? 'with access to this store' : 'on a machine with this folder';
  }
}

export interface RunFolderDeps {
  /** Folders and stores that this worker writes to, with everything below them; absent: any. */
  readonly logDirs?: readonly string[];
  /** Opens a store; absent: this worker opens none. */
  readonly openStore?: (logDir: string) => Promise<LogStore>;
  readonly warn: (message: string) => void;
}

export interface RunFolders {
  /**
   * Runs work on the log of a run. A run without a token has not been opened yet; it then belongs to this worker's
   * disk. In a store, changes are written before this returns, and the work may be repeated.
   * @param part part of the run that the work reads
   * @throws RunLogElsewhereError; ResultsError for an invalid place of a run
   */
  use<T>(run: RunRef, part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T>;
  /** Returns the runs in a run's log folder or store; throws like {@link use}. */
  beside(run: RunRef): Promise<RunLogs>;
  /** Finds the log of a run on any disk; null if this worker does not write to it, or if it is in a store. */
  readonly find: (run: RunRef) => Promise<RunLog | null>;
  /** Checks that a results file exists on this machine, and that a document may be written; throws like {@link use}. */
  checkFiles(file: string, document: string): Promise<void>;
}

export function createRunFolders({ logDirs, openStore, warn }: RunFolderDeps): RunFolders {
  const reported = new Set<string>();

  const elsewhere = (place: string, root: string, reason: string): RunLogElsewhereError => {
    if (!reported.has(place)) warn(`work on ${place} is left to other workers: this worker ${reason}`);
    reported.add(place);
    return new RunLogElsewhereError(place, root, reason);
  };

  const isAllowed = async (folder: string): Promise<boolean> => {
    if (logDirs === undefined) return true;
    if (isAddress(folder)) return logDirs.some((root) => isAddress(root) && isWithinStore(root, folder));
    const real = await resolveRealPath(folder);
    for (const root of logDirs) if (!isAddress(root) && isWithin(await resolveRealPath(root), real)) return true;
    return false;
  };

  const checkRoots = async (place: string, root: string): Promise<void> => {
    if (await isAllowed(place)) return;
    throw elsewhere(place, root, `writes only in ${(logDirs ?? []).join(', ')} (--log-dir)`);
  };

  const open = async (run: RunRef): Promise<RunLog> => {
    if (typeof run.logDir !== 'string' || !path.isAbsolute(run.logDir)) {
      throw invalidPlace(`the log folder ${JSON.stringify(run.logDir)} is not an absolute path`);
    }
    const log = new RunLog(run);
    const { folder } = log.paths;
    await checkRoots(folder, run.logDir);
    if (run.token === undefined) return log;
    const token = await log.readToken();
    if (token === run.token) return log;
    const reason = token === null ? 'has no such folder of a run' : 'has another folder under that path';
    throw elsewhere(folder, run.logDir, reason);
  };

  /** Returns the store of a run's log; null for a run in a folder. */
  const findStore = async (run: RunRef): Promise<LogStore | null> => {
    if (!isAddress(run.logDir)) return null;
    if (storeAddress(run.logDir) !== run.logDir) {
      throw invalidPlace(`the log folder ${JSON.stringify(run.logDir)} is not an address as commands write it`);
    }
    await checkRoots(run.logDir, run.logDir);
    const place = `${run.logDir}/${run.runId}`;
    if (openStore === undefined) throw elsewhere(place, run.logDir, 'opens no stores');
    try {
      const store = await openStore(run.logDir);
      if (run.token === undefined || (await store.readToken(run)) === run.token) return store;
    } catch (error) {
      // This worker lacks the client, or credentials for this bucket; another worker may have them.
      if (error instanceof UsageError) throw elsewhere(place, run.logDir, `cannot open it (${firstLine(error)})`);
      throw error;
    }
    throw elsewhere(place, run.logDir, 'reaches a store without this run');
  };

  const use: RunFolders['use'] = async (run, part, work) => {
    const store = await findStore(run);
    return store === null ? work(await open(run)) : store.change(run, part, work);
  };

  return {
    use,
    async beside(run) {
      const store = await findStore(run);
      if (store === null) await open(run);
      return openRunLogs(run.logDir, store);
    },
    async find(run) {
      // Lines of an open episode of a run in a store would be on one worker's disk, where nobody reads them.
      if (typeof run.logDir !== 'string' || !path.isAbsolute(run.logDir)) return null;
      const log = new RunLog(run);
      return (await isAllowed(log.paths.folder)) ? log : null;
    },
    async checkFiles(file, document) {
      if (!path.isAbsolute(file) || !path.isAbsolute(document) || !document.endsWith('.json')) {
        throw invalidPlace('a judge reads and writes absolute paths of JSON files');
      }
      for (const named of [file, document]) await checkRoots(named, path.dirname(named));
      const found = await stat(file).catch(instead(null, 'ENOENT'));
      if (found?.isFile() !== true) throw elsewhere(file, path.dirname(file), 'has no such file');
    },
  };
}

function invalidPlace(sentence: string): ResultsError {
  return new ResultsError(ResultsProblem.InvalidPlace, sentence);
}

function isAddress(place: unknown): boolean {
  return typeof place === 'string' && /^s3:\/\//i.test(place);
}

/** Resolves the links in the existing part of a path. */
async function resolveRealPath(place: string): Promise<string> {
  const whole = path.resolve(place);
  try {
    return await realpath(whole);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || path.dirname(whole) === whole) throw error;
    return path.join(await resolveRealPath(path.dirname(whole)), path.basename(whole));
  }
}

function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
