/**
 * Conversations, packed: a chunk is JSON, deflated, in base64. Only the packed form is kept, some 5 to 10 kB an episode,
 * so that a report of thousands of episodes takes tens of megabytes and not gigabytes.
 */

import { deflateSync } from 'node:zlib';

import type { Conversation } from './conversation.ts';
import type { PayloadChunk, PayloadConversation } from './payload.ts';

/** A chunk is closed when its JSON has about this many characters: what is unpacked to show one episode. */
const CHUNK_CHARS = 200_000;

export interface Place {
  readonly chunk: number;
  readonly place: number;
}

export class ChunkPacker {
  readonly #packed: string[] = [];
  #prompts: string[] = [];
  #conversations: string[] = [];
  #chars = 0;

  add({ prompts, ...rest }: Conversation): Place {
    const conversation: PayloadConversation = { ...rest, prompts: prompts.map((prompt) => this.#placeOf(prompt)) };
    const place = { chunk: this.#packed.length, place: this.#conversations.length };
    const text = JSON.stringify(conversation);
    this.#conversations.push(text);
    this.#chars += text.length;
    if (this.#chars >= CHUNK_CHARS) this.#close();
    return place;
  }

  /** The chunks in base64, in order. */
  finish(): readonly string[] {
    if (this.#conversations.length > 0) this.#close();
    return this.#packed;
  }

  #placeOf(prompt: string): number {
    const at = this.#prompts.indexOf(prompt);
    if (at !== -1) return at;
    this.#chars += prompt.length;
    return this.#prompts.push(prompt) - 1;
  }

  #close(): void {
    const prompts: PayloadChunk['prompts'] = this.#prompts;
    const json = `{"prompts":${JSON.stringify(prompts)},"conversations":[${this.#conversations.join(',')}]}`;
    // Not gzip: its header names the operating system, and the same log is to give the same bytes everywhere.
    this.#packed.push(deflateSync(json, { level: 9 }).toString('base64'));
    this.#prompts = [];
    this.#conversations = [];
    this.#chars = 0;
  }
}
