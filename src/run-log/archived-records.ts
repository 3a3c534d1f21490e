/** Records that a rerun has replaced: copies beside the run's episodes, numbered by the time of their replacement. */

import path from 'node:path';
import type { EpisodeKey } from '../evaluation/index.ts';
import { orReport, unlessDamaged, type LogFiles } from './files.ts';
import { archivedFileName, byTrialThenTask, parseArchivedFileName } from './paths.ts';
import type { EpisodeRecord } from './record.ts';
import { recordCodec } from './record.schema.ts';

export interface ReadRecord {
  readonly record: EpisodeRecord;
  /** Text of the file, unchanged. */
  readonly text: string;
}

export class ArchivedRecords {
  readonly #files: LogFiles;
  readonly #folder: string;

  constructor(files: LogFiles, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /**
   * Writes a copy of a record, once per workflow run. It can be repeated after an interruption, and parallel writers
   * write the same bytes.
   */
  async keep({ record, text }: ReadRecord): Promise<void> {
    const kept = (await this.#list()).filter((file) => byTrialThenTask(file.key, record) === 0);
    for (const { name } of kept) {
      const other = await unlessDamaged(() => this.#read(name));
      if (other?.workflowRunId === record.workflowRunId) return;
    }
    const place = (kept.at(-1)?.place ?? 0) + 1;
    await this.#files.write(path.join(this.#folder, archivedFileName(record, place)), text);
  }

  /** Yields the records one at a time; damaged ones are reported and skipped. */
  async *records(
    onProblem: (sentence: string) => void,
    isWanted: (key: EpisodeKey) => boolean,
  ): AsyncGenerator<EpisodeRecord, void, undefined> {
    for (const { name, key } of await this.#list()) {
      const record = isWanted(key) ? await orReport(() => this.#read(name), onProblem) : null;
      if (record !== null) yield record;
    }
  }

  /** Lists archived records by trial, task and time of their replacement. */
  async #list(): Promise<readonly { name: string; key: EpisodeKey; place: number }[]> {
    const files = (await this.#files.names(this.#folder)).flatMap((name) => {
      const parsed = parseArchivedFileName(name);
      return parsed === null ? [] : [{ name, ...parsed }];
    });
    return files.sort((a, b) => byTrialThenTask(a.key, b.key) || a.place - b.place);
  }

  async #read(name: string): Promise<EpisodeRecord | null> {
    return this.#files.read(path.join(this.#folder, name), recordCodec.read);
  }
}
