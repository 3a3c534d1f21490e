/** Claims the log of a run for this command before the start, and removes it if nothing was started. */

import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import {
  RunLog,
  openRun,
  refuseOtherConfiguration,
  storeAddress,
  type RunFacts,
  type RunIdentity,
} from '../run-log/index.ts';
import {
  RUN_HEAD,
  WHOLE_RUN,
  createLogStores,
  openRunLogs,
  type LogStore,
  type RunLogs,
  type RunPart,
  type StorePlaces,
} from '../run-log/store/index.ts';
import type { RunInput, RunRef } from '../evaluation/index.ts';
import { UsageError, systemErrorCode } from '../errors/index.ts';

/** A run's log in a folder or a store. */
export interface RunAccess {
  readonly run: RunRef;
  /** The run's log in a folder; null for a store, which no process on this machine follows. */
  readonly folder: RunLog | null;
  /** Reads the current log. @param part @default all of it */
  read(part?: RunPart): Promise<RunLog>;
  /** Calls the work with the log, possibly several times. */
  change<T>(part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T>;
}

export interface ClaimedLog extends RunAccess {
  /**
   * Writes the run's configuration, unless another process has done so.
   * @returns the run's token
   * @throws UsageError if the other process has another configuration, or more trials
   */
  open(input: RunInput, facts: RunFacts): Promise<string>;
  /** Removes everything that the claim created, unless there are other files. */
  giveBack(): Promise<void>;
}

/** @param run a run whose log folder is a path, or the address of a store */
export async function accessRun(run: RunRef, places: StorePlaces): Promise<RunAccess> {
  if (storeAddress(run.logDir) === null) return inFolder(run);
  return inStore(run, await createLogStores(places)(run.logDir));
}

/** Returns the run for workers, with the token by which they recognize its log. */
export async function withToken(run: RunRef, places: StorePlaces): Promise<RunRef> {
  const access = await accessRun(run, places);
  const token = await access.change(RUN_HEAD, (log) => log.ensureToken());
  return { runId: run.runId, logDir: run.logDir, token };
}

/** Returns the runs of a log folder or a store, from `--log-dir` or a schedule. */
export async function accessRuns(logDir: string, places: StorePlaces): Promise<RunLogs> {
  return openRunLogs(logDir, storeAddress(logDir) === null ? null : await createLogStores(places)(logDir));
}

function inFolder(run: RunRef): RunAccess & { readonly folder: RunLog } {
  const log = new RunLog(run);
  return { run, folder: log, read: () => Promise.resolve(log), change: (_, work) => work(log) };
}

function inStore(run: RunRef, store: LogStore): RunAccess {
  return {
    run,
    folder: null,
    read: (part = WHOLE_RUN) => store.read(run, part),
    change: (part, work) => store.change(run, part, work),
  };
}

/**
 * @param isNamed true if the user named the run; an existing log is then the run's own. A generated id gets a number if
 *   another run of the same second has it.
 * @throws ResultsError (`log_dir_unwritable`)
 */
export async function claimRunLog(run: RunRef, isNamed: boolean, places: StorePlaces): Promise<ClaimedLog> {
  const store = storeAddress(run.logDir) === null ? null : await createLogStores(places)(run.logDir);
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? run : { ...run, runId: `${run.runId}-${count}` };
    const claim = await (store === null ? claimFolder(numbered, isNamed) : claimInStore(numbered, isNamed, store));
    if (claim !== null) return claim;
  }
}

async function claimFolder(run: RunRef, isNamed: boolean): Promise<ClaimedLog | null> {
  const access = inFolder(run);
  const { folder: log } = access;
  const made = await log.prepare();
  if (!isNamed && !made.includes(log.paths.folder)) return null;
  let isMine = false;
  const open = async (input: RunInput, facts: RunFacts) => {
    const opened = await openOnce(log, input, facts);
    isMine ||= opened.isNew;
    return opened.token;
  };
  return { ...access, open, giveBack: () => giveBack(log, made, isMine) };
}

async function openOnce(log: RunLog, input: RunInput, facts: RunFacts): Promise<{ isNew: boolean; token: string }> {
  const { manifest, isNew } = await openRun(log, input, facts);
  refuseDifferences(manifest, input, `the run ${log.runId} exists`);
  return { isNew, token: await log.ensureToken() };
}

/** Claims a run in a store by writing its token first, which also finds an unwritable store early. */
async function claimInStore(run: RunRef, isNamed: boolean, store: LogStore): Promise<ClaimedLog | null> {
  const isNew = !(await store.has(run.runId));
  if (!isNew && !isNamed) return null;
  const isMade = await store.change(run, RUN_HEAD, async (log) => {
    if ((await log.readToken()) !== null) return false;
    await log.ensureToken();
    return true;
  });
  if (!isMade && !isNamed) return null;
  let isOthers = false;
  const open = async (input: RunInput, facts: RunFacts) => {
    const opened = await store.change(run, RUN_HEAD, (log) => openOnce(log, input, facts));
    isOthers = !opened.isNew;
    return opened.token;
  };
  const giveBackStored = () => (isMade && isNew && !isOthers ? store.forget(run) : Promise.resolve());
  return { ...inStore(run, store), open, giveBack: giveBackStored };
}

/** @param isMine true if this process wrote `run.json`; files of another process and its run stay */
async function giveBack(log: RunLog, made: readonly string[], isMine: boolean): Promise<void> {
  if (isMine) await rm(log.paths.run, { force: true });
  if (made.includes(log.paths.folder) && !existsSync(log.paths.run)) {
    await rm(log.paths.prices, { force: true });
    await rm(log.paths.token, { force: true });
  }
  const { open, requests } = log.paths;
  for (const folder of [...(isMine ? [open, requests] : []), ...[...made].reverse()]) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
      // Another process has it now, or it was never made.
      if (made.includes(folder)) return;
    }
  }
}

/**
 * Refuses another configuration under the same run id, and fewer trials; more trials extend the run.
 * @param there beginning of the sentence: `the run mine exists`
 * @param wayOut remedy, other than choosing another id
 * @throws UsageError that lists the differences
 */
export function refuseDifferences(before: RunIdentity, asked: RunIdentity, there: string, wayOut = ''): void {
  refuseOtherConfiguration(before, asked, there, wayOut);
  const { numTrials } = before.plan;
  if (asked.plan.numTrials >= numTrials) return;
  throw new UsageError(
    `${there} with ${numTrials} trials per task, which cannot become ${asked.plan.numTrials}; ` +
      'choose another --run-id, or leave --num-trials out.',
  );
}
