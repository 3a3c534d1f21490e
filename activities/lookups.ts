/** Lookups that several activities begin with: the pack, the task, the conversation, the run's folder. */

import { hostname } from 'node:os';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { agentSentence, type Message, type StrategyDefinition, type StrategyLookup } from '../src/agents/index.ts';
import { actionsOf, type Action, type Task, type TrajectoryForm } from '../src/benchmarks/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import type { Pack, PackRef } from '../src/benchmarks/packs/index.ts';
import {
  FailureType,
  startWorkerCommand,
  type EarlierAttempts,
  type EvaluationConfig,
  type JudgedSource,
  type RunRef,
  type TranscriptDelta,
} from '../src/evaluation/index.ts';
import { UsageError, firstLine, systemErrorCode, instead } from '../src/errors/index.ts';
import { episodeOf } from './call-results.ts';
import { missesBefore, retryAfterMiss } from './attempts.ts';
import { RunLog, isWithinStore, storeAddress } from '../src/run-log/index.ts';
import { runLogsOf, type LogStore, type RunLogs, type RunPart } from '../src/run-log/store/index.ts';
import { verdictPlace, type Judged } from '../src/results/judge/index.ts';

/** Finds the pack with a digest; undefined where this worker has none. */
export type PackLookup = (ref: PackRef) => Promise<Pack | undefined>;

/**
 * @throws ApplicationFailure `PackUnavailable`, retryable: another worker may hold the pack. Such attempts end nothing,
 *   see `attempts.ts`.
 */
export async function loadPack(lookup: PackLookup, ref: PackRef): Promise<Pack> {
  const pack = await lookup(ref);
  if (pack !== undefined) return pack;
  throw ApplicationFailure.create({
    type: FailureType.PackUnavailable,
    message:
      `waiting for a worker that has pack ${ref.name} with digest ${ref.digest.slice(0, 12)}: the worker on ` +
      `${hostname()} does not; import it there with \`npx tauflow data import\`, or start a worker that has it (--pack)`,
    nextRetryDelay: retryAfterMiss(missesBefore(Context.current().info)),
    // The worker logs it once per pack, not once per attempt.
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** @throws ApplicationFailure, not retryable: the sweep's plan does not fit its pack */
export function taskOf(pack: Pack, split: string, taskId: number): Task {
  const task = pack.splits[split]?.[taskId];
  if (task !== undefined) return task;
  throw ApplicationFailure.nonRetryable(
    `pack ${pack.ref.name} has no task ${taskId} in split ${split}`,
    FailureType.BadRequest,
  );
}

/**
 * @param attempt what the activity has tried so far
 * @throws ApplicationFailure `TranscriptMissing`, upon which the workflow sends the conversation whole, in another
 *   activity that goes on counting from the failure's {@link EarlierAttempts}
 */
export function resolveTranscript(
  store: TranscriptStore,
  delta: TranscriptDelta,
  { mayBePaid, apiFailures }: { readonly mayBePaid: number; readonly apiFailures: number } = {
    mayBePaid: 0,
    apiFailures: 0,
  },
): Message[] {
  const { info } = Context.current();
  const messages = store.resolve(`${episodeOf(info)}/${delta.thread}`, delta);
  if (messages !== undefined) return messages;
  const message = `this worker does not know the first ${delta.keep} items of ${delta.thread}`;
  // The workflow sends the conversation whole then: no news to the worker's log.
  const category = ApplicationFailureCategory.BENIGN;
  const earlier: EarlierAttempts = { attempts: mayBePaid, apiFailures };
  const type = FailureType.TranscriptMissing;
  throw ApplicationFailure.create({ message, type, nonRetryable: true, category, details: [earlier] });
}

/** Forgets the conversations of a workflow that has ended; if it sends one after all, it sends it whole. */
export function forgetTranscripts(store: TranscriptStore): void {
  store.forget(`${episodeOf(Context.current().info)}/`);
}

/**
 * @throws ApplicationFailure: not retryable when this worker's code has no such strategy; `AgentUnavailable`, retryable,
 *   when it is an agent from a file, which another worker may have
 */
export function strategyOf(
  find: StrategyLookup,
  { strategy: name, strategyOptions: { agentFile } }: Pick<EvaluationConfig, 'strategy' | 'strategyOptions'>,
): StrategyDefinition {
  const strategy = find(name, agentFile);
  if (strategy !== undefined) return strategy;
  if (agentFile !== undefined) {
    throw ApplicationFailure.create({
      type: FailureType.AgentUnavailable,
      message: `waiting for a worker that has ${agentSentence(name, agentFile)}`,
      nextRetryDelay: retryAfterMiss(missesBefore(Context.current().info)),
    });
  }
  throw ApplicationFailure.nonRetryable(`this worker knows no agent strategy "${name}"`, FailureType.BadRequest);
}

/**
 * The environment actions of a trajectory.
 * @param steps how many of them were executed: the last one was not when it could not be read
 */
export function executedActions(
  messages: readonly Message[],
  form: TrajectoryForm = 'tools',
  steps = Infinity,
): Action[] {
  return actionsOf(messages.filter((message) => message.role === 'assistant').slice(0, steps), form);
}

export interface RunFolderDeps {
  /** Folders and stores that this worker writes to, with all that is in them; absent: any. */
  readonly logDirs?: readonly string[];
  /** Absent: this worker opens none. */
  readonly openStore?: (logDir: string) => Promise<LogStore>;
  readonly warn: (message: string) => void;
}

/**
 * Folders that activities read and write. An input names one by its path, but the same path may be another folder on
 * another machine, and whoever reaches the server can write inputs.
 */
export interface RunFolders {
  /**
   * Works on the log of a run; one without a token nobody has opened yet, and this worker's disk is the run's from now
   * on. In a store, what the work has changed is there when this returns, and the work may be done more than once.
   * @param part what the work reads
   * @throws ApplicationFailure `RunLogUnavailable`, retryable: another worker may see the folder
   */
  use<T>(run: RunRef, part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T>;
  /** The runs of a run's log folder or store; throws as {@link use} does. */
  beside(run: RunRef): Promise<RunLogs>;
  /** The log of a run in a folder that was opened before; throws as {@link use} does. */
  open(run: RunRef): Promise<RunLog>;
  /** The log of a run, whoever's disk it is on; null for one that this worker does not write to, or in a store. */
  find(run: RunRef): Promise<RunLog | null>;
  /** Uses the documents that a judge reads and writes, like {@link use}. @param part of a run */
  useJudged<T>(source: JudgedSource, part: RunPart, work: (judged: Judged) => Promise<T>): Promise<T>;
}

export function createRunFolders({ logDirs, openStore, warn }: RunFolderDeps): RunFolders {
  const reported = new Set<string>();

  /**
   * Hands the work back: a worker that sees the folder takes it.
   * @param place folder or file of the work, or address in a store
   * @param root what `--log-dir` of that other worker names
   * @param reason what this worker does or lacks, with the worker as its subject
   */
  const handBack = (place: string, root: string, reason: string): ApplicationFailure => {
    if (!reported.has(place)) warn(`work on ${place} is left to other workers: this worker ${reason}`);
    reported.add(place);
    const { info } = Context.current();
    const there = isAddress(root) ? 'with access to this store' : 'on a machine with this folder';
    return ApplicationFailure.create({
      type: FailureType.RunLogUnavailable,
      message:
        `waiting for a worker that sees ${place}: the worker on ${hostname()} ${reason}; ` +
        `start one ${there}: \`${startWorkerCommand(info.taskQueue)} --log-dir ${root}\``,
      nextRetryDelay: retryAfterMiss(missesBefore(info)),
      // The worker logs it once for each folder, not for each attempt.
      category: ApplicationFailureCategory.BENIGN,
    });
  };

  const isAllowed = async (folder: string): Promise<boolean> => {
    if (logDirs === undefined) return true;
    if (isAddress(folder)) return logDirs.some((root) => isAddress(root) && isWithinStore(root, folder));
    const real = await realPathOf(folder);
    for (const root of logDirs) if (!isAddress(root) && isWithin(await realPathOf(root), real)) return true;
    return false;
  };

  const checkRoots = async (place: string, root: string): Promise<void> => {
    if (await isAllowed(place)) return;
    throw handBack(place, root, `writes only in ${(logDirs ?? []).join(', ')} (--log-dir)`);
  };

  const open = async (run: RunRef): Promise<RunLog> => {
    if (typeof run.logDir !== 'string' || !path.isAbsolute(run.logDir)) {
      throw ApplicationFailure.nonRetryable(
        `the log folder ${JSON.stringify(run.logDir)} is not an absolute path`,
        FailureType.BadRequest,
      );
    }
    const log = new RunLog(run);
    const { folder } = log.paths;
    await checkRoots(folder, run.logDir);
    if (run.token === undefined) return log;
    const token = await log.readToken();
    if (token === run.token) return log;
    const reason = token === null ? 'has no such folder of a run' : 'has another folder under that path';
    throw handBack(folder, run.logDir, reason);
  };

  /** The store of a run's log; null for a run in a folder. */
  const storeOf = async (run: RunRef): Promise<LogStore | null> => {
    if (!isAddress(run.logDir)) return null;
    if (storeAddress(run.logDir) !== run.logDir) {
      throw ApplicationFailure.nonRetryable(
        `the log folder ${JSON.stringify(run.logDir)} is not an address as commands write it`,
        FailureType.BadRequest,
      );
    }
    await checkRoots(run.logDir, run.logDir);
    const place = `${run.logDir}/${run.runId}`;
    if (openStore === undefined) throw handBack(place, run.logDir, 'opens no stores');
    try {
      const store = await openStore(run.logDir);
      if (run.token === undefined || (await store.readToken(run)) === run.token) return store;
    } catch (error) {
      // Without the client, or credentials for this bucket; another worker may have them.
      if (error instanceof UsageError) throw handBack(place, run.logDir, `cannot open it (${firstLine(error)})`);
      throw error;
    }
    throw handBack(place, run.logDir, 'reaches a store without this run');
  };

  const use: RunFolders['use'] = async (run, part, work) => {
    const store = await storeOf(run);
    return store === null ? work(await open(run)) : store.change(run, part, work);
  };

  const checkFile = async (source: Extract<JudgedSource, { kind: 'file' }>): Promise<void> => {
    const { file } = source;
    const { document } = verdictPlace(source);
    if (!path.isAbsolute(file) || !path.isAbsolute(document) || !document.endsWith('.json')) {
      throw ApplicationFailure.nonRetryable(
        'a judge reads and writes absolute paths of JSON files',
        FailureType.BadRequest,
      );
    }
    for (const named of [file, document]) await checkRoots(named, path.dirname(named));
    const found = await stat(file).catch(instead(null, 'ENOENT'));
    if (found?.isFile() !== true) throw handBack(file, path.dirname(file), 'has no such file');
  };

  return {
    open,
    use,
    async beside(run) {
      const store = await storeOf(run);
      if (store === null) await open(run);
      return runLogsOf(run.logDir, store);
    },
    async find(run) {
      // The lines of an open episode would be on one worker's disk, where nobody looks.
      if (typeof run.logDir !== 'string' || !path.isAbsolute(run.logDir)) return null;
      const log = new RunLog(run);
      return (await isAllowed(log.paths.folder)) ? log : null;
    },
    async useJudged(source, part, work) {
      if (source.kind === 'run') return use(source.run, part, (log) => work({ kind: 'run', log }));
      await checkFile(source);
      return work(source);
    },
  };
}

function isAddress(place: unknown): boolean {
  return typeof place === 'string' && /^s3:\/\//i.test(place);
}

/** Resolves the links of the part of a path that exists. */
async function realPathOf(place: string): Promise<string> {
  const whole = path.resolve(place);
  try {
    return await realpath(whole);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || path.dirname(whole) === whole) throw error;
    return path.join(await realPathOf(path.dirname(whole)), path.basename(whole));
  }
}

function isWithin(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
