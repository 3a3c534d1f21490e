/** One episode as the view shows it, and as a file to download: its record, or its entry in a results file. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../../io/index.ts';
import { episodeFileName } from '../../run-log/index.ts';
import { readEntry, readRecordedEpisode, type ReadEpisode } from '../data/episodes.ts';
import { readRawEntry } from '../../results/files/index.ts';
import type { ResultsFileEntry } from '../../benchmarks/results.ts';
import { DEFAULTS } from '../../benchmarks/index.ts';
import { describeEpisode, episodeName, type EpisodeKey } from '../../evaluation/index.ts';
import type { ViewedSource } from './folder.ts';
import type { EpisodeSource } from './run.ts';
import { instead } from '../../errors/index.ts';

/**
 * @param uiUrl address of the Temporal UI of the run's server; null: unknown
 * @throws Refusal for a missing episode, ResultsError for an unreadable one
 */
export async function readViewedEpisode(
  source: EpisodeSource,
  key: EpisodeKey,
  uiUrl: string | null,
): Promise<ReadEpisode> {
  if (source.kind === 'file') {
    const { entries, form, tasks, report } = source;
    return readEntry(findEntry(entries, key), form, report.subject.split ?? DEFAULTS.taskSplit, tasks?.pack);
  }
  const { log, manifest } = source;
  const record = await log.readEpisode(key);
  if (record === null) throw missingEpisode(key);
  const namespace = manifest?.temporal?.namespace;
  return readRecordedEpisode(record, {
    verdict: source.verdicts.get(episodeName(key)),
    ui: namespace === undefined || uiUrl === null ? null : { uiUrl, namespace },
  });
}

function findEntry(entries: readonly ResultsFileEntry[], key: EpisodeKey): ResultsFileEntry {
  const found = entries.find(({ task_id: taskId, trial }) => taskId === key.taskId && (trial ?? 0) === key.trial);
  if (found === undefined) throw missingEpisode(key);
  return found;
}

/** @returns true for an episode that has a record, damaged or not, or an entry */
export async function hasEpisode(source: EpisodeSource, key: EpisodeKey): Promise<boolean> {
  if (source.kind === 'file') return source.report.episodes.some((row) => episodeName(row) === episodeName(key));
  return (await source.log.listEpisodes()).episodes.some((each) => episodeName(each) === episodeName(key));
}

export function missingEpisode(episode: EpisodeKey): Refusal {
  return new Refusal(404, `there is no record of ${describeEpisode(episode)}`);
}

/** Returns the record's bytes, or the entry of a results file. @throws Refusal if there is none */
export async function readKept(viewed: ViewedSource, key: EpisodeKey): Promise<string> {
  const text =
    viewed.kind === 'file'
      ? await readRawEntry(viewed.path, key, viewed.run)
      : await readFile(recordFile(viewed, key), 'utf8').catch(instead(null, 'ENOENT'));
  if (text === null) throw missingEpisode(key);
  return text;
}

export function recordFile(viewed: ViewedSource, key: EpisodeKey): string {
  return viewed.kind === 'file' ? viewed.path : path.join(viewed.log.paths.episodes, episodeFileName(key));
}
