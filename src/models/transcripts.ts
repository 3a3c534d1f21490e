/**
 * The worker's side of the transcript protocol (`src/evaluation/transcript.ts`): keeps conversations of recent calls,
 * so that the next call contains only what is new. It is only a cache. The workflow sends a conversation whole if this
 * worker has forgotten it, or never had it because another worker made the earlier calls. Conversations of recorded
 * episodes, and of episodes that continue elsewhere, are forgotten.
 */

import { LRUCache } from 'lru-cache';
import type { Message } from '../agents/index.ts';
import {
  EMPTY_CHAIN,
  applyDelta,
  unflattenItems,
  type TranscriptChain,
  type TranscriptDelta,
  type TranscriptItem,
} from '../evaluation/index.ts';

interface TranscriptStoreOptions {
  /** Bound on the conversations' estimated bytes in memory. @default 256 MiB */
  readonly maxBytes?: number;
}

interface Entry {
  readonly chain: TranscriptChain;
  /** `bytes[i]` covers `chain.items[0..i]`. */
  readonly bytes: readonly number[];
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
/** Time after which an unused conversation is dropped, because another worker has it. @unit milliseconds */
const IDLE_MS = 60 * 60 * 1_000;
/** Bytes of an entry's key, arrays and place in the cache. */
const ENTRY_BYTES = 500;
/** Bytes of an item's objects and digest, without its text. */
const ITEM_BYTES = 200;

export class TranscriptStore {
  readonly #entries: LRUCache<string, Entry>;

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: TranscriptStoreOptions = {}) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      ttl: IDLE_MS,
      updateAgeOnGet: true,
      sizeCalculation: (entry) => ENTRY_BYTES + (entry.bytes.at(-1) ?? 0),
    });
  }

  /**
   * Returns the whole conversation after a delta, and remembers it for the next one.
   *
   * The stored conversation may be longer than the part that the delta keeps, because an earlier attempt of a retried
   * activity may have stored it.
   *
   * @param key names the conversation among all, `workflowId/runId/thread`
   * @returns undefined if the conversation before the delta is unknown here
   */
  resolve(key: string, delta: TranscriptDelta): Message[] | undefined {
    const known = delta.keep === 0 ? undefined : this.#entries.get(key);
    const chain = applyDelta(known?.chain ?? EMPTY_CHAIN, delta);
    if (chain === undefined) return undefined;
    const same = delta.replaced?.[0]?.[0] ?? delta.keep;
    const bytes = (known?.bytes ?? []).slice(0, same);
    for (const item of chain.items.slice(same)) bytes.push((bytes.at(-1) ?? 0) + itemBytes(item));
    this.#entries.set(key, { chain, bytes });
    return unflattenItems(chain.items);
  }

  /** Removes the conversations of an ended episode and the unused ones. @param prefix of their keys */
  forget(prefix: string): void {
    this.#entries.purgeStale();
    for (const key of [...this.#entries.keys()]) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  /** Number of stored conversations, and their estimated bytes. */
  get size(): { readonly threads: number; readonly bytes: number } {
    return { threads: this.#entries.size, bytes: this.#entries.calculatedSize };
  }
}

/** Estimates an item's bytes: two per character, because one character outside of Latin-1 doubles a whole string. */
function itemBytes(item: TranscriptItem): number {
  return ITEM_BYTES + 2 * JSON.stringify(item).length;
}
