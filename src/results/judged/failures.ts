/** The failed episodes of a run log, or of any results file, by their position. */

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { Pack, PackRef } from '../../packs/index.ts';
import type { FailedEpisode, JudgedSource } from '../../wire/index.ts';
import { reanalyzeEntry, reanalyzeRecord } from '../regrade/index.ts';
import { RunLog, detectForm, recordedAnalysis } from '../log/index.ts';
import { readResultsFile, type ResultsFileEntry } from '../tau-bench/index.ts';
import { failureOfEntry, failureOfRecord, type Failure } from './failure.ts';

export interface Failures {
  /** Episodes in all, those that have not failed among them. */
  readonly length: number;
  /** Null where the episode has not failed, or its record is damaged or gone. */
  at(position: number): Promise<Failure | null>;
  find(episode: FailedEpisode): Promise<Failure | null>;
}

export interface FailuresDeps {
  /** Undefined where this worker has no such pack: what was not analysed stays so. */
  readonly findPack: (ref: PackRef) => Promise<Pack | undefined>;
  /** Damaged files of a run log, one sentence each. */
  readonly warn: (sentence: string) => void;
}

/** Keeps the results file that was read last: it is asked once for each of its episodes. */
export function createFailureReader({ findPack, warn }: FailuresDeps): (source: JudgedSource) => Promise<Failures> {
  const readFile = memorized(readResultsFile);
  return async (source) =>
    source.kind === 'run'
      ? ofRun(source, findPack, warn)
      : ofFile(source.file, await readFile(source.file), await packOf(source, findPack));
}

async function ofRun(
  { run, pack: ref }: Extract<JudgedSource, { kind: 'run' }>,
  findPack: FailuresDeps['findPack'],
  warn: FailuresDeps['warn'],
): Promise<Failures> {
  const log = new RunLog(run);
  const { episodes } = await log.listEpisodes();
  const read = async (keys: typeof episodes): Promise<Failure | null> => {
    for await (const record of log.records(keys, warn)) {
      let analysis = recordedAnalysis(record);
      if (analysis === undefined && ref?.digest === record.config.pack.digest) {
        const pack = await findPack(ref);
        if (pack !== undefined) analysis = reanalyzeRecord(record, pack);
      }
      return failureOfRecord(record, analysis?.faults ?? []);
    }
    return null;
  };
  return {
    length: episodes.length,
    at: (position) => read(episodes.slice(position, position + 1)),
    find: ({ taskId, trial }) => read([{ taskId, trial }]),
  };
}

interface FilePack {
  readonly pack: Pack;
  readonly split: string;
}

function ofFile(file: string, entries: readonly ResultsFileEntry[], tasks: FilePack | null): Failures {
  const form = detectForm(entries);
  const runId = path.basename(file).replace(/\.json$/, '');
  const at = (index: number): Failure | null => {
    const entry = entries[index];
    if (entry === undefined) return null;
    const task = tasks?.pack.splits[tasks.split]?.[entry.task_id] ?? null;
    const analysis = tasks === null ? undefined : reanalyzeEntry(entry, tasks.pack, tasks.split, form);
    return failureOfEntry(entry, { runId, index, task, form, faults: analysis?.faults ?? [] });
  };
  return {
    length: entries.length,
    at: (position) => Promise.resolve(at(position)),
    find: ({ index }) => Promise.resolve(index === null ? null : at(index)),
  };
}

async function packOf(
  { tasks }: Extract<JudgedSource, { kind: 'file' }>,
  findPack: FailuresDeps['findPack'],
): Promise<FilePack | null> {
  const pack = tasks === null ? undefined : await findPack(tasks.pack);
  return tasks === null || pack === undefined ? null : { pack, split: tasks.split };
}

/** Reads a file again only when it has changed. */
function memorized<T>(read: (file: string) => Promise<T>): (file: string) => Promise<T> {
  let last: { readonly version: string; readonly content: Promise<T> } | null = null;
  return async (file) => {
    // What cannot be looked at cannot be read either, which the reader tells.
    const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
    const version = `${file} ${String(mtimeMs)} ${String(size)}`;
    if (last?.version === version) return last.content;
    const content = read(file);
    last = { version, content };
    content.catch(() => (last = null));
    return content;
  };
}
