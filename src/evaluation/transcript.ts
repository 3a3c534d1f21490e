/**
 * Keeps an episode's history linear: a model call identifies the earlier conversation by length and digest, and
 * contains only the new part. Replies are bounded before they enter a history: a reply that is too long is replaced by
 * its beginning, its end and its size. {@link TranscriptSender} is the workflow's side, {@link TranscriptChain} the
 * worker's memory.
 */

import type { AssistantMessage, Message, PromptPart } from '../agents/index.ts';

/** A piece of a flattened conversation: a message, or another part of the message before it. */
export type TranscriptItem = Message | { readonly more: PromptPart };

export interface TranscriptDelta {
  /** Name of the conversation within the episode. */
  readonly thread: string;
  /** Number of unchanged leading items of the thread's previous call, apart from replaced ones. */
  readonly keep: number;
  /**
   * Changed references among the unchanged items, in order, so that a prompt that only swaps its instructions repeats
   * no text.
   */
  readonly replaced?: readonly (readonly [index: number, item: TranscriptItem])[];
  /**
   * Digest of the first {@link keep} items after replacement; `''` for none. A worker that ignores the replacements
   * computes another digest.
   */
  readonly digest: string;
  /** Items after the first {@link keep} ones. */
  readonly items: readonly TranscriptItem[];
}

/** Splits messages into items: the first part stays in its message, each further part is a separate item. */
export function flattenMessages(messages: readonly Message[]): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  for (const message of messages) {
    if (typeof message.content === 'string' || message.content === null) {
      items.push(message);
      continue;
    }
    const [first, ...rest] = message.content;
    items.push({ ...message, content: first === undefined ? [] : [first] } as Message);
    for (const more of rest) items.push({ more });
  }
  return items;
}

/** Joins items to messages, the inverse of {@link flattenMessages}. */
export function unflattenItems(items: readonly TranscriptItem[]): Message[] {
  const messages: Message[] = [];
  // Parts of the last message, if it has several. They are collected in a new list, so that every part costs the same.
  let parts: PromptPart[] | undefined;
  for (const item of items) {
    if (!('more' in item)) {
      messages.push(item);
      parts = undefined;
      continue;
    }
    if (parts === undefined) {
      const last = messages.pop();
      if (last === undefined || last.role === 'assistant' || last.role === 'tool') {
        throw new Error('a transcript part without a message to belong to');
      }
      parts = typeof last.content === 'string' ? [last.content] : [...last.content];
      messages.push({ ...last, content: parts });
    }
    parts.push(item.more);
  }
  return messages;
}

/** Largest conversation in a payload, in bytes. A payload may have 2 MB, and contains more than the conversation. */
export const MAX_CONVERSATION_BYTES = 1_200_000;

/**
 * Returns the size of a conversation as JSON in UTF-8. The size is exact if it may reach the limit, otherwise an upper
 * bound.
 */
export function conversationBytes(messages: readonly Message[]): number {
  const most = MOST_BYTES * messages.reduce((sum, message) => sum + countMessageChars(message), 0);
  return most <= MAX_CONVERSATION_BYTES ? most : utf8Bytes(JSON.stringify(messages));
}

/** Most bytes of one code unit: JSON writes control characters as `\u0001`. */
const MOST_BYTES = 6;
/** Number of characters of a message without its texts. */
const MESSAGE_CHARS = 100;

function countMessageChars(message: Message): number {
  const { content } = message;
  const parts = typeof content === 'string' ? [content] : (content ?? []);
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  const continued = message.role === 'assistant' ? (message.continuation?.data.length ?? 0) : 0;
  return (
    continued +
    parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : MESSAGE_CHARS), MESSAGE_CHARS) +
    calls.reduce((sum, { function: called }) => sum + called.name.length + called.arguments.length + MESSAGE_CHARS, 0)
  );
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Each half of a surrogate pair counts two bytes, four together.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

// Looking up a global costs 0.2 µs in a workflow's sandbox. Per character, this was 1.6 ms for a product's record.
const { imul } = Math;

/**
 * Returns the digest of a conversation with one more item. It protects a cache from mix-ups, not from attacks, so a
 * short non-cryptographic hash suffices (FNV-1a, two lanes of 32 bits).
 */
export function extendDigest(digest: string, item: TranscriptItem): string {
  return digestText(digest + JSON.stringify(item));
}

/** Returns the digest of the whole conversation after a delta. */
export function wholeDigest({ digest, items }: TranscriptDelta): string {
  return items.reduce(extendDigest, digest);
}

/** Returns a text's digest, sixteen hexadecimal digits. */
export function digestText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xc9dc5118;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = imul(a ^ code, 0x01000193);
    b = imul(b ^ (code + i), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}

/** A conversation with the digest of each of its prefixes: `digests[i]` covers `items[0..i]`. */
export interface TranscriptChain {
  readonly items: readonly TranscriptItem[];
  readonly digests: readonly string[];
}

export const EMPTY_CHAIN: TranscriptChain = { items: [], digests: [] };

/** Returns the digest of a chain's first `length` items. */
export function prefixDigest(chain: TranscriptChain, length: number): string | undefined {
  return length === 0 ? '' : chain.digests[length - 1];
}

/** Returns a chain's first `keep` items followed by others. */
export function spliceChain(chain: TranscriptChain, keep: number, items: readonly TranscriptItem[]): TranscriptChain {
  const digests = chain.digests.slice(0, keep);
  let digest = digests.at(-1) ?? '';
  for (const item of items) digests.push((digest = extendDigest(digest, item)));
  return { items: [...chain.items.slice(0, keep), ...items], digests };
}

/** Applies a delta to a chain; undefined if the delta was made for another chain. */
export function applyDelta(chain: TranscriptChain, delta: TranscriptDelta): TranscriptChain | undefined {
  const { keep, replaced = [], digest, items } = delta;
  if (keep > chain.items.length) return undefined;
  const start = replaced[0]?.[0] ?? keep;
  const kept = chain.items.slice(start, keep);
  for (const [index, item] of replaced) kept[index - start] = item;
  const next = spliceChain(chain, start, [...kept, ...items]);
  return prefixDigest(next, keep) === digest ? next : undefined;
}

/**
 * The workflow's side: remembers each thread's sent conversation. It stores the message objects, so a message must not
 * be changed afterwards; a changed conversation needs new messages.
 */
export class TranscriptSender {
  readonly #threads = new Map<string, TranscriptChain>();
  /** Number of coming calls that repeat earlier content, after a worker lacked a conversation. */
  #repeating: number;
  #hasMissed = false;

  /** @param repeats true if the first calls repeat earlier content, as after a miss. @default false */
  constructor(repeats = false) {
    this.#repeating = repeats ? REPEATING_CALLS : 0;
  }

  /** True if a worker lacked a conversation. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  /**
   * Returns the delta for a worker that knows the thread's previous call, and records it as sent. After a worker lacked
   * a conversation, the next deltas repeat the end of the earlier conversation, for workers that know an earlier call.
   */
  next(thread: string, messages: readonly Message[]): TranscriptDelta {
    const sent = this.#threads.get(thread) ?? EMPTY_CHAIN;
    const items = flattenMessages(messages);
    const shared = shareItems(items, sent.items);
    const start = shared.replaced[0]?.[0] ?? shared.keep;
    const chain = spliceChain(sent, start, items.slice(start));
    this.#threads.set(thread, chain);
    const keep = this.#repeating > 0 ? startOfEnd(items, shared.keep) : shared.keep;
    this.#repeating = Math.max(0, this.#repeating - 1);
    const replaced = shared.replaced.filter(([i]) => i < keep);
    const digest = prefixDigest(chain, keep) ?? '';
    return { thread, keep, ...(replaced.length === 0 ? {} : { replaced }), digest, items: items.slice(keep) };
  }

  /**
   * Returns a delta like {@link next}, for the thread that shares the most leading items with the messages. So a
   * trajectory that equals one of the model's conversations is not sent again.
   * @param fallback name of the thread if no thread shares an item
   */
  nextBest(fallback: string, messages: readonly Message[]): TranscriptDelta {
    const items = flattenMessages(messages);
    let best = fallback;
    let most = 0;
    for (const [thread, sent] of this.#threads) {
      const { keep } = shareItems(items, sent.items);
      if (keep > most) [best, most] = [thread, keep];
    }
    return this.next(best, messages);
  }

  /** Returns the thread's whole conversation, for a worker that does not know it. */
  whole(thread: string): TranscriptDelta {
    this.#repeating = REPEATING_CALLS;
    this.#hasMissed = true;
    const sent = this.#threads.get(thread) ?? EMPTY_CHAIN;
    return { thread, keep: 0, digest: '', items: sent.items };
  }
}

/**
 * Number of a conversation's characters that are repeated for workers that missed calls. Most conversations are
 * shorter, so no worker misses them again.
 */
const REPEATED_CHARS = 16_000;
/**
 * Number of repeating calls after a miss: about as many as an episode has, including its grade and record. If the only
 * worker changes, a history grows by this many times {@link REPEATED_CHARS} at most.
 */
const REPEATING_CALLS = 10;

/** Returns the first index from which the items before `end` have at most {@link REPEATED_CHARS}. */
function startOfEnd(items: readonly TranscriptItem[], end: number): number {
  let start = end;
  let chars = 0;
  for (const item of items.slice(0, end).reverse()) {
    chars += JSON.stringify(item).length;
    if (chars > REPEATED_CHARS) break;
    start -= 1;
  }
  return start;
}

type ReplacedMessages = NonNullable<TranscriptDelta['replaced']>;

/** Counts the leading items that two conversations have in common, except for different references. */
function shareItems(
  items: readonly TranscriptItem[],
  sent: readonly TranscriptItem[],
): { readonly keep: number; readonly replaced: ReplacedMessages } {
  const differing: [index: number, item: TranscriptItem][] = [];
  let keep = 0;
  for (const [i, item] of items.entries()) {
    if (sameItem(item, sent[i])) keep = i + 1;
    else if (isReference(item) && isReference(sent[i])) differing.push([i, item]);
    else break;
  }
  return { keep, replaced: differing.filter(([i]) => i < keep) };
}

function isReference(item: TranscriptItem | undefined): boolean {
  return item !== undefined && 'more' in item && typeof item.more !== 'string';
}

function sameItem(a: TranscriptItem | undefined, b: TranscriptItem | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Lengths in characters (UTF-16 code units). */
export interface ReplyLimits {
  readonly contentChars: number;
  /** Length of all tool calls of a reply together, including names and ids. */
  readonly toolArgumentChars: number;
}

/** Limits of any run. The longest replies in the benchmark's published trajectories have 1,300 characters. */
export const REPLY_LIMITS: ReplyLimits = { contentChars: 65_536, toolArgumentChars: 262_144 };

/** Most tool calls of a reply. */
export const MAX_TOOL_CALLS = 128;

/** The limit that a reply exceeds. `bytes`: its JSON is larger than a workflow's history accepts. */
export interface ReplyExcess {
  readonly part: 'content' | 'tool arguments' | 'tool calls' | 'bytes';
  readonly size: number;
  readonly limit: number;
}

/** @returns undefined for a reply within its limits */
export function findExcess(message: AssistantMessage, limits: ReplyLimits): ReplyExcess | undefined {
  const calls = message.tool_calls ?? [];
  const argumentChars = calls.reduce(
    (sum, { id, function: called }) => sum + id.length + called.name.length + called.arguments.length,
    0,
  );
  const sizes: readonly ReplyExcess[] = [
    { part: 'content', size: (message.content ?? '').length, limit: limits.contentChars },
    { part: 'tool arguments', size: argumentChars, limit: limits.toolArgumentChars },
    { part: 'tool calls', size: calls.length, limit: MAX_TOOL_CALLS },
  ];
  return sizes.find(({ size, limit }) => size > limit);
}

/** Returns a sentence for the episode's outcome: the part that was too long, and the limit. */
export function formatExcess({ part, size, limit }: ReplyExcess): string {
  switch (part) {
    case 'content':
      return `the model's reply has ${size} characters; the run allows ${limit}`;
    case 'tool arguments':
      return `the tool calls of the model's reply have ${size} characters; the run allows ${limit}`;
    case 'tool calls':
      return `the model's reply has ${size} tool calls; at most ${limit} are read`;
    case 'bytes':
      return `the model's reply takes ${size} bytes; a workflow's history takes ${limit}`;
  }
}
