/**
 * Search in the conversations of a run: episodes whose messages, calls and observations have all the words. One record
 * is in memory at a time, and most are looked at as raw text only.
 */

import { readFile } from 'node:fs/promises';
import type { EpisodeKey } from '../wire/index.ts';
import { hasWords, wordsOf, type ReadEpisode } from '../results/page/index.ts';
import type { SearchLine } from './api.ts';
import { readViewedEpisode, recordFile } from './episode.ts';
import type { Viewed } from './folder.ts';
import type { ReadSubject } from './run.ts';

/** A line that often is a moving bar, and not much to send. */
const LINE_MS = 100;

/**
 * @param signal ends the search
 * @returns JSON lines of {@link SearchLine}; the last one's progress is 1
 */
export async function* searchLines(
  viewed: Viewed,
  subject: ReadSubject,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const words = wordsOf(query);
  const plain = words.filter(isPlain);
  const episodes = words.length === 0 ? [] : subject.overview.episodes;
  let found: EpisodeKey[] = [];
  let lineAt = Date.now();
  for (const [done, { taskId, trial }] of episodes.entries()) {
    if (signal.aborted) return;
    const key = { taskId, trial };
    if (viewed.kind === 'run' && !(await mayHave(recordFile(viewed, key), plain))) continue;
    const episode = await readOrSkip(subject, key);
    if (episode !== null && hasWords(episode.conversation, words)) found.push(key);
    if (Date.now() - lineAt < LINE_MS) continue;
    yield lineOf({ progress: (done + 1) / (episodes.length + 1), found });
    found = [];
    lineAt = Date.now();
  }
  yield lineOf({ progress: 1, found });
}

function lineOf(line: SearchLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** A word that is in a record's file as it is in the conversation: JSON escapes none of its characters. */
function isPlain(word: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word);
}

/**
 * Looks at the file as it is, which takes a tenth of what reading the record does.
 * @returns false if the record's conversation cannot have all the words; a file that is gone has none
 */
async function mayHave(file: string, plain: readonly string[]): Promise<boolean> {
  try {
    const text = (await readFile(file, 'utf8')).toLowerCase();
    return plain.every((word) => text.includes(word));
  } catch {
    return false;
  }
}

/** null for an episode that cannot be read: the run's problems name it. */
async function readOrSkip(subject: ReadSubject, key: EpisodeKey): Promise<ReadEpisode | null> {
  try {
    return await readViewedEpisode(subject, key, null);
  } catch {
    return null;
  }
}
