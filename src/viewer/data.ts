/** Data in the file: the overview at once, conversations on demand. */

import type { Payload, PayloadChunk, PayloadConversation, PayloadEpisode } from '../results/page/index.ts';

export function readPayload(): Payload {
  return JSON.parse(textOf('payload')) as Payload;
}

/** A conversation with its prompts in their place. */
export interface Unpacked {
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
}

export async function conversationOf({ chunk, place }: PayloadEpisode): Promise<Unpacked> {
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

export async function unpack(index: number): Promise<PayloadChunk> {
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
