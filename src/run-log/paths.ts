/** The paths of a run log's files, and the run id, which names the files, the run's workflow and its row in lists. */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import {
  episodeName,
  forkName,
  parseEpisodeName,
  parseForkableName,
  type EpisodeKey,
  type ForkableName,
  type RunRef,
} from '../evaluation/index.ts';
import { parseS3Address } from '../io/index.ts';
import { ResultsError, ResultsProblem } from './files.ts';

export interface RunPaths {
  readonly results: string;
  readonly folder: string;
  /** Folder of the results files of the conditions; {@link results} contains the episodes of `base`. */
  readonly conditions: string;
  readonly episodes: string;
  /** Folder of the records of forks, which are not part of the run's results. */
  readonly forks: string;
  /** Folder of replaced records. */
  readonly archive: string;
  /** Folder of the lines of open episodes, one file per episode. */
  readonly open: string;
  /** Folder of the bodies of model calls, one file per episode: `--keep-requests`. */
  readonly requests: string;
  readonly run: string;
  /** File with the run's token, see `RunRef.token`. */
  readonly token: string;
  /** File with the records' rows, see `RowIndex`. */
  readonly rows: string;
  readonly metrics: string;
  /** File with all prices of the run's options, including those of unused models. */
  readonly prices: string;
  /** File with the audit's findings on the run's tasks. */
  readonly tasks: string;
  /**
   * Folder of the judge's verdicts, one file per failed episode, and the document with all of them in tau-bench's form.
   */
  readonly verdicts: string;
  readonly errors: string;
  /** File with the comparison of a scheduled run with the previous one. */
  readonly comparison: string;
  readonly notes: string;
}

/**
 * Returns the paths of a run. Only this function and the ones below make paths, because ids come from task queues that
 * others may write to.
 * @throws ResultsError (`invalid_run_id`) for an id that would lead out of the log folder
 */
export function runPaths({ logDir, runId }: RunRef): RunPaths {
  if (!isFileName(runId)) throw invalidRunId(`the run id ${JSON.stringify(runId)} is not the name of a folder`);
  const folder = path.join(logDir, runId);
  return {
    results: path.join(logDir, `${runId}.json`),
    folder,
    conditions: path.join(folder, 'conditions'),
    episodes: path.join(folder, 'episodes'),
    forks: path.join(folder, 'forks'),
    archive: path.join(folder, 'superseded'),
    open: path.join(folder, 'open'),
    requests: path.join(folder, 'requests'),
    run: path.join(folder, 'run.json'),
    token: path.join(folder, 'run-token'),
    rows: path.join(folder, 'rows.jsonl'),
    metrics: path.join(folder, 'metrics.json'),
    prices: path.join(folder, 'prices.json'),
    tasks: path.join(folder, 'tasks.json'),
    verdicts: path.join(folder, 'errors'),
    errors: path.join(folder, 'errors.json'),
    comparison: path.join(folder, 'comparison.json'),
    notes: path.join(folder, 'notes'),
  };
}

/** True if a text is a valid name within a folder. */
function isFileName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

function invalidRunId(problem: string): ResultsError {
  return new ResultsError(ResultsProblem.InvalidRunId, `${problem}, and nothing is read or written for it`);
}

/**
 * Returns the name of an episode's file. @throws ResultsError (`invalid_run_id`) for a key that is not made of numbers
 */
export function episodeFileName(key: EpisodeKey): string {
  const name = episodeName(key);
  if (parseEpisodeName(name) === null) throw invalidRunId(`${JSON.stringify(name)} is not the name of an episode`);
  return `${name}.json`;
}

/** Returns the name of a file with JSON lines of an episode. */
export function episodeLinesName(key: EpisodeKey): string {
  return `${episodeFileName(key)}l`;
}

/** Parses a name from {@link episodeLinesName}; null for any other name. */
export function parseEpisodeLinesName(name: string): EpisodeKey | null {
  return name.endsWith('.jsonl') ? parseEpisodeFileName(name.slice(0, -1)) : null;
}

/** @param fork `fork-2` */
export function forkFileName(key: EpisodeKey, fork: string): string {
  const name = forkName(key, fork);
  if (parseForkableName(name)?.fork === undefined)
    throw invalidRunId(`${JSON.stringify(name)} is not the name of a fork`);
  return `${name}.json`;
}

/** Parses a name from {@link episodeFileName}; null for any other name. */
export function parseEpisodeFileName(name: string): EpisodeKey | null {
  return name.endsWith('.json') ? parseEpisodeName(name.slice(0, -'.json'.length)) : null;
}

/** Parses a name from {@link forkFileName}; null for any other name. */
export function parseForkFileName(name: string): Required<ForkableName> | null {
  const named = name.endsWith('.json') ? parseForkableName(name.slice(0, -'.json'.length)) : null;
  return named?.fork === undefined ? null : { episode: named.episode, fork: named.fork };
}

/** Compares keys in the results file's order: by trial, then by task, `base` before the conditions. */
export function byTrialThenTask(a: EpisodeKey, b: EpisodeKey): number {
  return a.trial - b.trial || a.taskId - b.taskId || (a.condition ?? '').localeCompare(b.condition ?? '');
}

/** Returns the name of an archived record; `place` is its number among those of the episode, from 1. */
export function archivedFileName(key: EpisodeKey, place: number): string {
  return episodeFileName(key).replace(/json$/, `${String(place)}.json`);
}

/** Parses a name from {@link archivedFileName}; null for any other name. */
export function parseArchivedFileName(name: string): { readonly key: EpisodeKey; readonly place: number } | null {
  const match = /^(.+)\.([1-9]\d*)\.json$/.exec(name);
  const key = match === null ? null : parseEpisodeFileName(`${match[1] ?? ''}.json`);
  return key === null ? null : { key, place: Number(match?.[2]) };
}

/**
 * Returns `--log-dir` as an absolute path, or as the normalized address of an object store.
 * @throws ResultsError, UsageError for any other kind of address
 */
export function resolveLogPlace(logDir: string, cwd: string): string {
  return storeAddress(logDir) ?? resolveLogDir(logDir, cwd);
}

/**
 * @returns `s3://bucket/prefix` without a slash at its end; null for a text that is not an address of an object store
 */
export function storeAddress(logDir: string): string | null {
  const address = parseS3Address(logDir);
  return address === null ? null : `s3://${address.bucket}/${address.prefix}`.replace(/\/$/, '');
}

/** @returns true for an address that equals another one or is below it, not only begins with the same characters */
export function isWithinStore(root: string, address: string): boolean {
  return address === root || address.startsWith(`${root}/`);
}

/**
 * Returns a log folder as an absolute path. The caller has checked that it is not an object store.
 * @param logDir a folder, relative to `cwd`, or a `file://` address
 * @throws ResultsError (`log_dir_unsupported`) for any other kind of address
 */
export function resolveLogDir(logDir: string, cwd: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(logDir)?.[1]?.toLowerCase();
  if (scheme === undefined) return path.resolve(cwd, logDir);
  if (scheme === 'file') return folderOfUrl(logDir);
  throw new ResultsError(
    ResultsProblem.LogDirUnsupported,
    `the log folder ${logDir} is a ${scheme}:// address: give --log-dir a folder, or s3://bucket/prefix`,
  );
}

function folderOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new ResultsError(
      ResultsProblem.LogDirUnsupported,
      `the log folder ${url} names no folder of this machine: give --log-dir a path, or file:///path`,
      { cause: error },
    );
  }
}

/** Longest run id in bytes. It leaves space for a task, a trial and `.json` within a file system's 255 bytes. */
export const MAX_RUN_ID_BYTES = 180;

/**
 * Returns the id `<word>-<word>…_<MMDDhhmmss>`. Characters that are invalid in a file name or a workflow id become `-`;
 * a name that is too long for a file is cut and gets a digest.
 *
 * @param words words from the configuration, such as its strategy and model
 * @param at start of the run, for its local time
 */
export function makeRunId(words: readonly string[], at: Date): string {
  const name = words.join('-');
  const safe = name.replace(/[^A-Za-z0-9._+=-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const time = `_${formatTimestamp(at)}`;
  if (safe.length + time.length <= MAX_RUN_ID_BYTES) return safe + time;
  const digest = `-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return safe.slice(0, MAX_RUN_ID_BYTES - digest.length - time.length) + digest + time;
}

/**
 * Checks a user's run id.
 * @throws ResultsError (`invalid_run_id`)
 */
export function checkRunId(runId: string): string {
  const reject = (problem: string): never => {
    throw new ResultsError(ResultsProblem.InvalidRunId, `the run id ${JSON.stringify(runId)} ${problem}`);
  };
  if (runId === '') return reject('is empty: give it a name, or leave --run-id out');
  if (!/^[A-Za-z0-9][A-Za-z0-9._+=@-]*$/.test(runId)) {
    return reject('may have only letters, digits and . _ - + = @, and must start with a letter or digit');
  }
  if (runId.length > MAX_RUN_ID_BYTES) {
    return reject(`is longer than ${String(MAX_RUN_ID_BYTES)} characters: shorten it`);
  }
  if (runId.toLowerCase().endsWith('.json'))
    return reject('ends in .json, which names its results file: leave that off');
  if (runId.endsWith('.')) return reject('ends in a dot, which not every file system keeps: leave that off');
  return runId;
}

/** Formats `MMDDhhmmss` in local time. */
function formatTimestamp(at: Date): string {
  return [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((number) => String(number).padStart(2, '0'))
    .join('');
}
