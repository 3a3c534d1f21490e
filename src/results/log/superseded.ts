/** Records that were replaced, because their episodes ran again: kept aside, as they were paid for. */

import path from 'node:path';

import type { EpisodeKey } from '../../wire/index.ts';
import { unlessDamaged, orTell, type LogFiles } from './log-files.ts';
import { byTrialThenTask, parseSupersededFileName, supersededFileName } from './paths.ts';
import { readEpisodeRecord, type EpisodeRecord } from './record.ts';

export interface ReadRecord {
  readonly record: EpisodeRecord;
  /** To the letter, with what this program's version does not know. */
  readonly text: string;
}

export class SupersededRecords {
  readonly #files: LogFiles;
  readonly #folder: string;

  constructor(files: LogFiles, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /**
   * Writes a copy, and only once for each workflow run: whoever is interrupted between this and what comes next does it
   * again. Two who do it at the same time write the same bytes.
   */
  async keep({ record, text }: ReadRecord): Promise<void> {
    const key: EpisodeKey = { taskId: record.task_id, trial: record.trial };
    const kept = (await this.#list()).filter((file) => byTrialThenTask(file.key, key) === 0);
    for (const { name } of kept) {
      const other = await unlessDamaged(() => this.#read(name));
      if (other?.workflow_run_id === record.workflow_run_id) return;
    }
    const place = (kept.at(-1)?.place ?? 0) + 1;
    await this.#files.write(path.join(this.#folder, supersededFileName(key, place)), text);
  }

  /** One at a time; told of and skipped are damaged ones. */
  async *records(
    onProblem: (sentence: string) => void,
    isWanted: (key: EpisodeKey) => boolean,
  ): AsyncGenerator<EpisodeRecord, void, undefined> {
    for (const { name, key } of await this.#list()) {
      const record = isWanted(key) ? await orTell(() => this.#read(name), onProblem) : null;
      if (record !== null) yield record;
    }
  }

  /** Trial by trial, tasks ascending, those of an episode in the order in which they were replaced. */
  async #list(): Promise<readonly { name: string; key: EpisodeKey; place: number }[]> {
    const files = (await this.#files.names(this.#folder)).flatMap((name) => {
      const parsed = parseSupersededFileName(name);
      return parsed === null ? [] : [{ name, ...parsed }];
    });
    return files.sort((a, b) => byTrialThenTask(a.key, b.key) || a.place - b.place);
  }

  async #read(name: string): Promise<EpisodeRecord | null> {
    return this.#files.read(path.join(this.#folder, name), readEpisodeRecord);
  }
}
