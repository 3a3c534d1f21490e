/**
 * A run's folder: one file an episode, each written in one go, so that a crash loses at most what was not finished,
 * and reading needs no more memory than the largest episode.
 */

import { constants } from 'node:fs';
import { access, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import { makeFolders } from '../io/folders.ts';
import type { EpisodeKey, RunRef } from '../wire/config.ts';
import { writeAtomically, writeStreamAtomically } from './atomic.ts';
import { ResultsError, ResultsProblem, describeSystemError, systemErrorCode } from './errors.ts';
import { episodeFileName, parseEpisodeFileName, runPaths, type RunPaths } from './paths.ts';
import { readEpisodeRecord, writeEpisodeRecord, type EpisodeRecord } from './record.ts';
import { readRunManifest, writeRunManifest, type RunManifest } from './run-manifest.ts';

/** The episodes of a run log by name, and one sentence for each file that is not one. */
export interface EpisodeListing {
  /** Trial by trial, tasks ascending. */
  readonly episodes: readonly EpisodeKey[];
  readonly problems: readonly string[];
}

export class RunLog {
  readonly runId: string;
  readonly logDir: string;
  readonly paths: RunPaths;

  constructor(run: RunRef) {
    this.runId = run.runId;
    this.logDir = run.logDir;
    this.paths = runPaths(run);
  }

  /**
   * Makes the folders, and so finds out early whether the log can be written.
   * @returns the folders that were not there before, each after the one it is in
   * @throws ResultsError (`log_dir_unwritable`)
   */
  async prepare(): Promise<readonly string[]> {
    return this.#writing(async () => {
      const made = await makeFolders(this.paths.episodes);
      for (const folder of [this.logDir, this.paths.folder, this.paths.episodes]) {
        await access(folder, constants.W_OK | constants.X_OK);
      }
      return made;
    });
  }

  /** Writes an episode's record; writing it again writes the same bytes. Returns the file's path. */
  async writeEpisode(record: EpisodeRecord): Promise<string> {
    const file = path.join(this.paths.episodes, episodeFileName({ taskId: record.task_id, trial: record.trial }));
    await this.#write(file, writeEpisodeRecord(record));
    return file;
  }

  /**
   * @returns null when the episode has no record
   * @throws ResultsError (`malformed`, `unreadable`) with a sentence that names the file
   */
  async readEpisode(key: EpisodeKey): Promise<EpisodeRecord | null> {
    const file = path.join(this.paths.episodes, episodeFileName(key));
    const record = await this.#read(file, readEpisodeRecord);
    if (record !== null && (record.task_id !== key.taskId || record.trial !== key.trial)) {
      throw new ResultsError(
        ResultsProblem.Malformed,
        `the record ${file} is that of task ${String(record.task_id)}, trial ${String(record.trial)}: ` +
          'rename or delete it',
      );
    }
    return record;
  }

  /** Which episodes have a file, without opening any. */
  async listEpisodes(): Promise<EpisodeListing> {
    const episodes: EpisodeKey[] = [];
    const problems: string[] = [];
    for (const name of await this.#episodeFiles()) {
      const key = parseEpisodeFileName(name);
      if (key !== null) episodes.push(key);
      else if (!isScratch(name)) problems.push(`${path.join(this.paths.episodes, name)} is not an episode's record`);
    }
    return { episodes: episodes.sort(byTrialThenTask), problems: problems.sort() };
  }

  /**
   * The records of the given episodes, one at a time in their order. One that is missing is skipped; one that is
   * damaged is skipped as well, and told of in a sentence.
   */
  async *records(
    episodes: readonly EpisodeKey[],
    onProblem: (sentence: string) => void,
  ): AsyncGenerator<EpisodeRecord, void, undefined> {
    for (const key of episodes) {
      let record: EpisodeRecord | null = null;
      try {
        record = await this.readEpisode(key);
      } catch (error) {
        if (!(error instanceof ResultsError)) throw error;
        onProblem(error.message);
      }
      if (record !== null) yield record;
    }
  }

  async writeRun(manifest: RunManifest): Promise<void> {
    await this.#write(this.paths.run, writeRunManifest(manifest));
  }

  /** @returns null when there is no `run.json` */
  async readRun(): Promise<RunManifest | null> {
    return this.#read(this.paths.run, readRunManifest);
  }

  /** @param metrics a JSON-safe document */
  async writeMetrics(metrics: object): Promise<void> {
    await this.#write(this.paths.metrics, `${JSON.stringify(metrics, null, 2)}\n`);
  }

  /** Replaces tau-bench's results file. Returns the bytes written. */
  async writeResults(pieces: AsyncIterable<string>): Promise<number> {
    return this.#writing(async () => {
      await makeFolders(this.paths.folder);
      return writeStreamAtomically(this.paths.results, pieces, this.paths.folder);
    });
  }

  async #episodeFiles(): Promise<string[]> {
    try {
      return await readdir(this.paths.episodes);
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw unreadable(this.paths.episodes, error);
    }
  }

  async #read<T>(file: string, parse: (text: string) => T): Promise<T | null> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return null;
      throw unreadable(file, error);
    }
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      throw new ResultsError(error.problem, `${file} is damaged and counts as missing: ${error.message}`, {
        cause: error,
      });
    }
  }

  async #write(file: string, text: string): Promise<void> {
    await this.#writing(async () => {
      await makeFolders(path.dirname(file));
      await writeAtomically(file, text);
    });
  }

  async #writing<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
      throw new ResultsError(
        ResultsProblem.LogDirUnwritable,
        `the run log cannot be written under ${this.logDir}: ${describeSystemError(error)}; ` +
          'free the way or choose another folder with --log-dir',
        { cause: error },
      );
    }
  }
}

/** The results file's order: trial by trial, tasks ascending. */
export function byTrialThenTask(a: EpisodeKey, b: EpisodeKey): number {
  return a.trial - b.trial || a.taskId - b.taskId;
}

/** What a writer that was killed leaves behind; it never had the record's own name. */
function isScratch(name: string): boolean {
  return name.startsWith('.') || /\.json\.\d+$/.test(name) || name.endsWith('.tmp');
}

function unreadable(file: string, error: unknown): ResultsError {
  return new ResultsError(ResultsProblem.Unreadable, `${file} cannot be read: ${describeSystemError(error)}`, {
    cause: error,
  });
}
