/**
 * A run's folder with one file per episode. Each file is written atomically, so that a crash loses only unfinished
 * episodes, and reading needs no more memory than the largest episode.
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolders, writeFileAtomically } from '../io/index.ts';
import {
  describeEpisode,
  episodeName,
  forkNumber,
  type EpisodeKey,
  type ForkableName,
  type RunRef,
} from '../evaluation/index.ts';
import {
  comparisonCodec,
  taskNotesCodec,
  type ComparisonToWrite,
  type TaskNotes,
  type WrittenComparison,
} from './documents.ts';
import { LogFiles, ResultsError, ResultsProblem, orReport, unlessDamaged } from './files.ts';
import {
  byTrialThenTask,
  episodeFileName,
  forkFileName,
  parseEpisodeFileName,
  parseForkFileName,
  runPaths,
  type RunPaths,
} from './paths.ts';
import { ArchivedRecords, type ReadRecord } from './archived-records.ts';
import { RowIndex, appendRow, rowOfRecord, type EpisodeRow } from './rows.ts';
import type { EpisodeRecord } from './record.ts';
import { recordCodec } from './record.schema.ts';
import { manifestCodec, type RunManifest } from './manifest.ts';
import { instead } from '../errors/index.ts';

/** The episodes in a run log, and sentences on other files. */
interface EpisodeListing {
  /** Episodes by trial, then by task. */
  readonly episodes: readonly EpisodeKey[];
  readonly problems: readonly string[];
}

/** Most attempts to read the token's file while another process creates and writes it. */
const TOKEN_LOOKS = 50;
const TOKEN_LOOK_MS = 20;

export class RunLog {
  readonly runId: string;
  readonly logDir: string;
  readonly paths: RunPaths;
  /** Paths for messages; for a run in a store, addresses. */
  readonly shown: RunPaths;
  /** True if the files are a copy with other modification times. */
  readonly isCopy: boolean;
  readonly #files: LogFiles;
  readonly #archive: ArchivedRecords;

  /** @param folder folder of the copy if the run's log folder is an address */
  constructor(run: RunRef, folder = run.logDir) {
    this.runId = run.runId;
    this.logDir = run.logDir;
    this.paths = runPaths({ runId: run.runId, logDir: folder });
    this.isCopy = folder !== run.logDir;
    this.shown = this.isCopy ? toFileAddresses(this.paths, folder, run.logDir) : this.paths;
    this.#files = new LogFiles(folder);
    this.#archive = new ArchivedRecords(this.#files, this.paths.archive);
  }

  /**
   * Creates the folders, which also checks early that the log can be written.
   * @returns the new folders, each after the one that contains it
   * @throws ResultsError (`log_dir_unwritable`)
   */
  async prepare(): Promise<readonly string[]> {
    return this.#files.writing(async () => {
      const made = await makeFolders(this.paths.episodes);
      for (const folder of [path.dirname(this.paths.folder), this.paths.folder, this.paths.episodes]) {
        await access(folder, constants.W_OK | constants.X_OK);
      }
      return made;
    });
  }

  /** Removes unfinished files of writers that were killed, on this machine or more than an hour ago. */
  async removeStale(): Promise<void> {
    const { folder, episodes, forks, archive, verdicts, notes } = this.paths;
    await this.#files.removeStale([folder, episodes, forks, archive, verdicts, notes]);
  }

  /**
   * Returns the token by which workers recognize this folder; creates it if missing.
   * @throws ResultsError (`log_dir_unwritable`)
   */
  async ensureToken(): Promise<string> {
    const before = await this.readToken();
    if (before !== null) return before;
    const made = randomUUID();
    await this.#files.writing(async () => {
      await makeFolders(this.paths.folder);
      // Of several processes that open the run at the same time, one makes the token.
      await writeFile(this.paths.token, `${made}\n`, { flag: 'wx' }).catch(instead(undefined, 'EEXIST'));
    });
    for (let look = 0; look < TOKEN_LOOKS; look++) {
      const written = await this.readToken();
      if (written !== null) return written;
      await delay(TOKEN_LOOK_MS);
    }
    // A process was killed after it made the file and before it wrote the token.
    await this.#files.write(this.paths.token, `${made}\n`);
    return made;
  }

  /** @returns null if there is no folder, or no token in it */
  async readToken(): Promise<string | null> {
    const text = await this.#files.read(this.paths.token, (content) => content.trim());
    return text === '' ? null : text;
  }

  /**
   * Writes an episode's record and returns the file's path; writing it again writes the same bytes. If it replaces the
   * record of another workflow run, it archives that record, unless the new one includes all its calls. A fork's record
   * is written to the folder of forks.
   * @param reusedCalls number of calls that the record has from the replaced one
   */
  async writeEpisode(record: EpisodeRecord, reusedCalls = 0): Promise<string> {
    if (record.fork !== undefined) return this.#writeFork(record, record.fork.name, record);
    const file = path.join(this.paths.episodes, episodeFileName(record));
    await this.#files.writing(() => makeFolders(this.paths.episodes));
    const before = await this.#current(record);
    const isOther = before !== null && before.record.workflowRunId !== record.workflowRunId;
    if (isOther && (reusedCalls === 0 || countCalls(before.record) > reusedCalls)) await this.#archive.keep(before);
    await this.#write(file, record);
    await appendRow(this.paths, file, rowOfRecord(record));
    return file;
  }

  /**
   * Adds the row of a record that another program has written; a damaged record has no row.
   * @param name name of a file in the folder of records
   */
  async indexEpisode(name: string): Promise<void> {
    const key = parseEpisodeFileName(name);
    if (key === null) return;
    const record = await orReport(
      () => this.readEpisode(key),
      () => undefined,
    );
    if (record !== null) await appendRow(this.paths, path.join(this.paths.episodes, name), rowOfRecord(record));
  }

  /**
   * Archives an episode's record; repeating it changes nothing. A damaged record stays, because it is treated as
   * missing.
   */
  async archiveEpisode(key: EpisodeKey): Promise<void> {
    const before = await this.#current(key);
    if (before === null) return;
    await this.#archive.keep(before);
    // An earlier attempt may have been so slow that the episode has already run again.
    const now = await this.#current(key);
    if (now?.text !== before.text) return;
    await this.#files.writing(() => rm(path.join(this.paths.episodes, episodeFileName(key)), { force: true }));
  }

  /**
   * Yields replaced records, one at a time; damaged ones are reported and skipped.
   * @param isWanted @default all
   */
  archivedRecords(
    onProblem: (sentence: string) => void,
    isWanted: (key: EpisodeKey) => boolean = () => true,
  ): AsyncGenerator<EpisodeRecord, void, undefined> {
    return this.#archive.records(onProblem, isWanted);
  }

  /**
   * @returns null if the episode has no record
   * @throws ResultsError (`malformed`, `unreadable`) with a sentence that names the file
   */
  async readEpisode(key: EpisodeKey): Promise<EpisodeRecord | null> {
    return this.#readRecord(path.join(this.paths.episodes, episodeFileName(key)), key);
  }

  /** Reads a fork's record like {@link readEpisode}. @param fork name of the fork, `fork-2` */
  async readFork(origin: EpisodeKey, fork: string): Promise<EpisodeRecord | null> {
    return this.#readRecord(this.#forkFile(origin, fork), origin);
  }

  #forkFile(origin: EpisodeKey, fork: string): string {
    return path.join(this.paths.forks, forkFileName(origin, fork));
  }

  /** Lists the recorded forks by trial, task and number. */
  async listForks(): Promise<Required<ForkableName>[]> {
    const forks = (await this.#files.names(this.paths.forks)).flatMap((name) => parseForkFileName(name) ?? []);
    return forks.sort((a, b) => byTrialThenTask(a.episode, b.episode) || forkNumber(a.fork) - forkNumber(b.fork));
  }

  async #writeFork(origin: EpisodeKey, fork: string, record: EpisodeRecord): Promise<string> {
    const file = this.#forkFile(origin, fork);
    await this.#write(file, record);
    return file;
  }

  /**
   * Writes a record and reads it back to be sure that it is readable.
   * @throws ResultsError (`malformed`) for a record damaged on the disk; writing it again repairs it
   */
  async #write(file: string, record: EpisodeRecord): Promise<void> {
    const text = recordCodec.write(record);
    await this.#files.write(file, text);
    const isWhole = (now: string) => now === text || recordCodec.read(now).taskId === record.taskId;
    if ((await this.#files.read(file, isWhole)) === true) return;
    throw new ResultsError(ResultsProblem.Malformed, `the record ${file} is not what was written; it is written again`);
  }

  async #readRecord(file: string, key: EpisodeKey): Promise<EpisodeRecord | null> {
    const record = await this.#files.read(file, recordCodec.read);
    if (record !== null && episodeName(record) !== episodeName(key)) {
      throw new ResultsError(
        ResultsProblem.Malformed,
        `the record ${file} is that of ${describeEpisode(record)}: rename or delete it`,
      );
    }
    return record;
  }

  /** Lists the episodes that have a file, without opening any. */
  async listEpisodes(): Promise<EpisodeListing> {
    const episodes: EpisodeKey[] = [];
    const problems: string[] = [];
    for (const name of await this.#files.names(this.paths.episodes)) {
      const key = parseEpisodeFileName(name);
      if (key !== null) episodes.push(key);
      // Hidden files are unfinished writes, or the system's.
      else if (!name.startsWith('.'))
        problems.push(`${path.join(this.paths.episodes, name)} is not an episode's record`);
    }
    return { episodes: episodes.sort(byTrialThenTask), problems: problems.sort() };
  }

  /**
   * Yields the records of the given episodes, one at a time in their order. Missing and damaged records are skipped;
   * damaged ones are also reported in a sentence.
   */
  async *records(
    episodes: readonly EpisodeKey[],
    onProblem: (sentence: string) => void,
  ): AsyncGenerator<EpisodeRecord, void, undefined> {
    for (const key of episodes) {
      const record = await orReport(() => this.readEpisode(key), onProblem);
      if (record !== null) yield record;
    }
  }

  /** Yields the rows of {@link records}; reads only records whose rows are not in the index. */
  async *rows(
    episodes: readonly EpisodeKey[],
    onProblem: (sentence: string) => void,
  ): AsyncGenerator<EpisodeRow, void, undefined> {
    const index = await RowIndex.read(this.paths);
    for (const key of episodes) {
      const row = index.find(key);
      if (row !== undefined) yield row;
      else for await (const record of this.records([key], onProblem)) yield rowOfRecord(record);
    }
  }

  async writeRun(manifest: RunManifest): Promise<void> {
    await this.#files.write(this.paths.run, manifestCodec.write(manifest));
  }

  /** Writes the first `run.json`. @returns false if another process wrote it first */
  async createRun(manifest: RunManifest): Promise<boolean> {
    return this.#files.create(this.paths.run, manifestCodec.write(manifest));
  }

  /** @returns null if there is no `run.json` */
  async readRun(): Promise<RunManifest | null> {
    return this.#files.read(this.paths.run, manifestCodec.read);
  }

  /** @param metrics a JSON-safe document */
  async writeMetrics(metrics: object): Promise<void> {
    await this.#files.write(this.paths.metrics, `${JSON.stringify(metrics, null, 2)}\n`);
  }

  /** @param prices in the form of a `--prices` file */
  async writePrices(prices: object): Promise<void> {
    await this.#files.write(this.paths.prices, `${JSON.stringify(prices, null, 2)}\n`);
  }

  async writeTaskNotes(notes: TaskNotes): Promise<void> {
    await this.#files.write(this.paths.tasks, taskNotesCodec.write(notes));
  }

  /** @returns null if the pack's audit was not recorded */
  async readTaskNotes(): Promise<TaskNotes | null> {
    return this.#files.read(this.paths.tasks, taskNotesCodec.read);
  }

  async writeComparison(comparison: ComparisonToWrite): Promise<void> {
    await this.#files.write(this.paths.comparison, comparisonCodec.write(comparison));
  }

  /** @returns null if the run was not compared */
  async readComparison(): Promise<WrittenComparison | null> {
    return this.#files.read(this.paths.comparison, comparisonCodec.read);
  }

  /** Returns the path of tau-bench's results file of a condition. */
  resultsFile(condition?: string): string {
    return condition === undefined ? this.paths.results : path.join(this.paths.conditions, `${condition}.json`);
  }

  /** Replaces a results file. @returns the number of bytes written */
  async writeResults(pieces: AsyncIterable<string>, condition?: string): Promise<number> {
    return this.#files.writing(async () => {
      await makeFolders(condition === undefined ? this.paths.folder : this.paths.conditions);
      return writeFileAtomically(this.resultsFile(condition), pieces, { scratchFolder: this.paths.folder });
    });
  }

  /** Returns an episode's current record; null if it is missing or damaged. */
  async #current(key: EpisodeKey): Promise<ReadRecord | null> {
    const file = path.join(this.paths.episodes, episodeFileName(key));
    return unlessDamaged(() => this.#files.read(file, (text) => ({ record: recordCodec.read(text), text })));
  }
}

function countCalls({ usage }: EpisodeRecord): number {
  return usage.reduce((sum, { calls }) => sum + calls, 0);
}

/** @param folder folder of a copy of the log folder at the address `logDir` */
function toFileAddresses(paths: RunPaths, folder: string, logDir: string): RunPaths {
  const toFileAddress = (file: string) => [logDir, ...path.relative(folder, file).split(path.sep)].join('/');
  const named = Object.entries(paths) as [keyof RunPaths, string][];
  return Object.fromEntries(named.map(([name, file]) => [name, toFileAddress(file)])) as Record<keyof RunPaths, string>;
}
