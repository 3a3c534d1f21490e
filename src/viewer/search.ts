/** Looks for words in conversations, one chunk after the other. */

import { useEffect, useState } from 'preact/hooks';
import type { PayloadConversation, PayloadRun } from '../results/page/index.ts';
import { unpack } from './data.ts';
import { keyOf, wordsOf, type Filters } from './filters.ts';

export interface Search {
  /** Keys of the episodes found so far; null when nothing is looked for in conversations. */
  readonly found: ReadonlySet<string> | null;
  /** Share of the chunks that were looked through, in [0, 1]. */
  readonly progress: number;
  readonly problem: string | null;
}

const IDLE: Search = { found: null, progress: 1, problem: null };

/** Typing is not yet asking. */
const PAUSE_MS = 250;

export function useSearch(run: PayloadRun | undefined, { query, inConversations }: Filters): Search {
  const [search, setSearch] = useState(IDLE);
  useEffect(() => {
    const words = wordsOf(query);
    if (run === undefined || !inConversations || words.length === 0) {
      setSearch(IDLE);
      return undefined;
    }
    let isWanted = true;
    const look = async () => {
      const found = new Set<string>();
      const places = placesIn(run);
      let done = 0;
      for (const [chunk, keys] of places) {
        const { conversations } = await unpack(chunk);
        if (!isWanted) return;
        for (const [place, key] of keys) {
          const conversation = conversations[place];
          if (conversation !== undefined && hasWords(conversation, words)) found.add(key);
        }
        done++;
        setSearch({ found: new Set(found), progress: done / places.size, problem: null });
      }
    };
    setSearch({ found: new Set(), progress: 0, problem: null });
    const timer = setTimeout(() => {
      look().catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        if (isWanted) setSearch({ found: new Set(), progress: 1, problem });
      });
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [run, query, inConversations]);
  return search;
}

/** True if all the words occur in messages, calls, observations or the instruction. */
export function hasWords(conversation: PayloadConversation, words: readonly string[]): boolean {
  const { instruction, opening, steps, unread } = conversation;
  const text = [
    instruction,
    opening ?? '',
    ...steps.map((step) => `${step.name}\n${step.thought ?? ''}\n${step.text}\n${step.observation ?? ''}`),
    unread ?? '',
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** By chunk: places and keys of the run's episodes. */
function placesIn(run: PayloadRun): Map<number, [number, string][]> {
  const places = new Map<number, [number, string][]>();
  for (const episode of run.episodes) {
    const keys = places.get(episode.chunk) ?? [];
    keys.push([episode.place, keyOf(episode)]);
    places.set(episode.chunk, keys);
  }
  return places;
}
