/** Data in the file: the overview at once, conversations and what is found in them on demand. */

import { useEffect, useState } from 'preact/hooks';
import type { Payload, PayloadChunk, PayloadConversation, PayloadEpisode, PayloadRun } from '../results/page/index.ts';
import { keyOf, wordsOf, type Filters } from './address.ts';

export function readPayload(): Payload {
  return JSON.parse(textOf('payload')) as Payload;
}

/** A conversation with its prompts in their place. */
export interface Unpacked {
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
}

async function conversationOf({ chunk, place }: PayloadEpisode): Promise<Unpacked> {
  const { prompts, conversations } = await chunkAt(chunk);
  const conversation = conversations[place];
  if (conversation === undefined) throw new Error('this file is damaged: it lacks the conversation');
  return { conversation, prompts: conversation.prompts.flatMap((at) => prompts[at] ?? []) };
}

/** Unpacked, a chunk takes a megabyte or so, and a reader goes to and fro among neighbours. */
const MAX_KEPT = 6;

const kept = new Map<number, Promise<PayloadChunk>>();

function chunkAt(index: number): Promise<PayloadChunk> {
  const chunk = kept.get(index) ?? unpack(index);
  kept.delete(index);
  kept.set(index, chunk);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return chunk;
}

async function unpack(index: number): Promise<PayloadChunk> {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('this browser cannot unpack conversations (no DecompressionStream): use one of 2023 or later');
  }
  const bytes = Uint8Array.from(atob(textOf(`chunk-${String(index)}`)), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as PayloadChunk;
}

function textOf(id: string): string {
  const text = document.getElementById(id)?.textContent;
  if (typeof text !== 'string') throw new Error('this file is cut short: it lacks a part of its data');
  return text;
}

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

/** The episode's conversation, once it is unpacked. */
export function useConversation(episode: PayloadEpisode): Loading<Unpacked> {
  const [state, setState] = useState<{ readonly of: PayloadEpisode; readonly loading: Loading<Unpacked> } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const show = (loading: Loading<Unpacked>) => {
      if (isWanted) setState({ of: episode, loading });
    };
    conversationOf(episode).then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => show({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [episode]);
  // What is there may still be the conversation of the episode that was shown before.
  return state?.of === episode ? state.loading : { kind: 'loading' };
}

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

/** Episodes whose conversations have the words, chunk after chunk. */
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
