/**
 * Conversations of agents with models, stored so that each call carries only its new items. An agent may have several
 * conversations within an episode, and several simultaneous calls of one conversation. Each call takes a free thread,
 * the one that shares the longest beginning with it. A conversation that is no longer stored is sent whole.
 */

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TranscriptSender, type TranscriptDelta } from '../../evaluation/index.ts';

/** JSON text of a part of the request. */
interface Item {
  readonly role: 'user';
  readonly content: string;
}

interface Thread {
  readonly name: string;
  /** Sender of the thread's conversation; replaced if the episode may lack the part that was sent last. */
  sender: TranscriptSender;
  sent: readonly Item[];
  isTaken: boolean;
}

/** All threads of an episode with the same beginning. */
interface Family {
  readonly threads: Thread[];
}

interface Sending {
  /** Part of the conversation that the episode lacks. */
  readonly delta: TranscriptDelta;
  /** Returns the whole conversation, for an episode that lacks its beginning. */
  whole(): TranscriptDelta;
  /** Gives the thread back. @param isKept true if the episode now has the conversation */
  end(isKept: boolean): void;
}

/**
 * Most bytes of stored conversations, enough for 1,000 open episodes. A conversation beyond it is sent whole, into the
 * history.
 */
const MAX_BYTES = 256 * 1024 * 1024;
/** Most threads of a family, twice the number of simultaneous calls. A further conversation replaces another one. */
const MOST_THREADS = 16;
/** Estimated bytes of an object, and of a character. */
const ITEM_BYTES = 300;
const CHAR_BYTES = 2;

export class Conversations {
  readonly #families: LRUCache<string, Family>;
  readonly #mostBytes: number;

  /** @param maxBytes bound on the conversations' estimated bytes in memory */
  constructor(maxBytes = MAX_BYTES) {
    this.#mostBytes = maxBytes;
    this.#families = new LRUCache({ maxSize: maxBytes, sizeCalculation: (family) => estimateBytes(family) });
  }

  /**
   * @param episode its unique name, `workflowId/runId`
   * @param kind distinguishes conversations of several APIs
   * @param items the conversation, whose first two distinguish it from others
   */
  send(episode: string, kind: string, items: readonly string[]): Sending {
    const beginning = createHash('sha256')
      .update(JSON.stringify(items.slice(0, 2)))
      .digest('hex')
      .slice(0, 12);
    const base = `model/${kind}/${beginning}`;
    const key = `${episode} ${base}`;
    const family = this.#families.get(key) ?? { threads: [] };
    this.#families.set(key, family);
    const thread = takeThread(family, base, items);
    const known = countShared(thread.sent, items);
    const messages = [...thread.sent.slice(0, known), ...items.slice(known).map(toItem)];
    const delta = thread.sender.next(thread.name, messages);
    return {
      delta,
      whole: () => {
        thread.sender = new TranscriptSender();
        return thread.sender.next(thread.name, messages);
      },
      end: (isKept) => {
        thread.isTaken = false;
        thread.sent = isKept ? messages : [];
        if (!isKept) thread.sender = new TranscriptSender();
        // A family that is larger than the limit is not kept.
        if (estimateBytes(family) <= this.#mostBytes) this.#families.set(key, family);
        else this.#families.delete(key);
      },
    };
  }
}

function takeThread(family: Family, base: string, items: readonly string[]): Thread {
  const [best] = family.threads
    .filter(({ isTaken }) => !isTaken)
    .map((thread) => ({ thread, shared: countShared(thread.sent, items) }))
    .sort((a, b) => b.shared - a.shared);
  // A thread that would lose more than it gains belongs to another conversation.
  const isOther = best === undefined || 2 * best.shared < best.thread.sent.length;
  if (best !== undefined && (!isOther || family.threads.length >= MOST_THREADS)) {
    best.thread.isTaken = true;
    return best.thread;
  }
  const number = family.threads.length + 1;
  const name = number === 1 ? base : `${base}/${number}`;
  const thread: Thread = { name, sender: new TranscriptSender(), sent: [], isTaken: true };
  family.threads.push(thread);
  return thread;
}

/** Returns the number of leading items that are equal. */
function countShared(sent: readonly Item[], items: readonly string[]): number {
  const first = sent.findIndex(({ content }, at) => content !== items[at]);
  return first === -1 ? sent.length : first;
}

/**
 * Copies a text. Without the copy, the part would keep the whole request in memory, and each request has the whole
 * conversation.
 */
function toItem(text: string): Item {
  return { role: 'user', content: Buffer.from(text).toString() };
}

function estimateBytes({ threads }: Family): number {
  const items = threads.flatMap(({ sent }) => sent);
  return items.reduce(
    (sum, { content }) => sum + ITEM_BYTES + CHAR_BYTES * content.length,
    ITEM_BYTES * (1 + threads.length),
  );
}
