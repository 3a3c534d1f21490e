/**
 * Search in the conversations of a run: finds episodes whose messages, calls and observations contain all the words.
 * One record is in memory at a time, and most are searched only as raw text.
 */

import { readFile } from 'node:fs/promises';
import type { EpisodeKey } from '../../evaluation/index.ts';
import { conversationHasWords, splitQuery } from '../data/words.ts';
import type { ReadEpisode } from '../data/episodes.ts';
import type { SearchLine } from '../data/api.ts';
import { readViewedEpisode, recordFile } from './episode.ts';
import type { ViewedSource } from './folder.ts';
import type { EpisodeSource } from './run.ts';

/** Interval of lines in ms, short enough for a moving bar. */
const LINE_MS = 100;

/**
 * @param signal ends the search
 * @returns JSON lines of {@link SearchLine}; the last one's progress is 1
 */
export async function* searchLines(
  viewed: ViewedSource,
  source: EpisodeSource,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const words = splitQuery(query);
  const checks = { plain: words.filter(isPlain), spoken: words.filter(isSpoken) };
  const episodes = words.length === 0 ? [] : await listEpisodeKeys(source);
  let found: EpisodeKey[] = [];
  let lineAt = performance.now();
  for (const [done, key] of episodes.entries()) {
    if (signal.aborted) return;
    if (viewed.kind === 'run' && !(await mayHave(recordFile(viewed, key), checks))) continue;
    const episode = await readOrSkip(source, key);
    if (episode !== null && conversationHasWords(episode.conversation, words)) found.push(key);
    if (performance.now() - lineAt < LINE_MS) continue;
    yield formatSearchLine({ progress: (done + 1) / (episodes.length + 1), found });
    found = [];
    lineAt = performance.now();
  }
  yield formatSearchLine({ progress: 1, found });
}

/** Lists the episodes by trial, then by task. */
async function listEpisodeKeys(source: EpisodeSource): Promise<readonly EpisodeKey[]> {
  if (source.kind === 'run') return (await source.log.listEpisodes()).episodes;
  return source.report.episodes.map(({ taskId, trial }) => ({ taskId, trial }));
}

function formatSearchLine(line: SearchLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * True for a word that has the same spelling in a record's file as in the conversation, because JSON escapes none of
 * its characters.
 */
function isPlain(word: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word);
}

/** True for a plain word that stays the same when its text is parsed and written again as JSON. */
function isSpoken(word: string): boolean {
  return /^[a-z_.!?'#@-]+$/.test(word);
}

/**
 * Searches the raw file, which takes a tenth of the time of reading the record. If the policy contains the words, it
 * searches all texts but system messages.
 * @returns false if the record's conversation cannot have all the words; also for a missing file
 */
async function mayHave(
  file: string,
  { plain, spoken }: { readonly plain: readonly string[]; readonly spoken: readonly string[] },
): Promise<boolean> {
  try {
    const text = await readFile(file, 'utf8');
    const lower = text.toLowerCase();
    if (!plain.every((word) => lower.includes(word))) return false;
    if (spoken.length === 0) return true;
    const { trajectory, task, steps, actions } = JSON.parse(text) as Record<string, unknown>;
    const said = Array.isArray(trajectory) ? trajectory.filter((message) => !isSystem(message)) : trajectory;
    const parts = JSON.stringify([said, task, steps, actions]).toLowerCase();
    return spoken.every((word) => parts.includes(word));
  } catch {
    return false;
  }
}

function isSystem(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'system';
}

/** Reads an episode; null if that is impossible, because the run's problems name it. */
async function readOrSkip(source: EpisodeSource, key: EpisodeKey): Promise<ReadEpisode | null> {
  try {
    return await readViewedEpisode(source, key, null);
  } catch {
    return null;
  }
}
