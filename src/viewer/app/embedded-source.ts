/** Data in the report's file: the overview is read at once, conversations on demand. */

import type { EmbeddedRun, Payload, PayloadChunk } from '../data/payload.ts';
import { conversationHasWords } from '../data/words.ts';
import { formatEpisodeKey, type RunKey } from './address.ts';
import type { Source } from './source.ts';
import { groupBy } from './words.ts';

type EmbeddedEpisode = EmbeddedRun['episodes'][number];

/** Reads the page's data; null if the page gets it from a server. */
export function readPayload(): Payload | null {
  const text = document.getElementById('payload')?.textContent;
  return typeof text === 'string' ? (JSON.parse(text) as Payload) : null;
}

export function embeddedSource({ runs }: Payload): Source {
  const placed = new Map(
    runs.map(({ episodes }, run) => [
      String(run),
      new Map(episodes.map((episode) => [formatEpisodeKey(episode), episode])),
    ]),
  );
  const findEpisodes = (run: RunKey) => placed.get(run) ?? new Map<string, EmbeddedEpisode>();
  return {
    conversation: async (run, episode) => {
      const { chunk, place } = findEpisodes(run).get(formatEpisodeKey(episode)) ?? {};
      const { prompts, conversations } = await chunkAt(chunk ?? 0);
      const conversation = conversations[place ?? -1];
      if (conversation === undefined) throw new Error('this file is damaged: it lacks the conversation');
      return {
        conversation,
        prompts: conversation.prompts.flatMap((at) => prompts[at] ?? []),
        hasRequests: false,
      };
    },
    search: async (run, words, onLook, signal) => {
      const chunks = groupBy(findEpisodes(run).values(), ({ chunk }) => chunk);
      let done = 0;
      for (const [chunk, episodes] of chunks) {
        const { conversations } = await unpack(chunk);
        if (signal.aborted) return;
        const found = episodes.filter(({ place }) => {
          const conversation = conversations[place];
          return conversation !== undefined && conversationHasWords(conversation, words);
        });
        done++;
        onLook({ progress: done / chunks.size, found });
      }
    },
  };
}

/** Most unpacked chunks in memory, of about a megabyte each, because readers return to neighbors. */
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
  const bytes = Uint8Array.from(atob(readElement(`chunk-${index}`)), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as PayloadChunk;
}

function readElement(id: string): string {
  const text = document.getElementById(id)?.textContent;
  if (typeof text !== 'string') throw new Error('this file is cut short: it lacks a part of its data');
  return text;
}
