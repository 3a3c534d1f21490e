/**
 * Completions on disk, shared by all processes of this user that use the same folder.
 *
 * A file is replaced in one step, so a reader sees a whole completion or none. Of two processes that store the same
 * key, the later one wins. Nothing here fails a call: a damaged or unreadable file counts as missing, and a failed
 * write is reported once.
 */

import { readFile, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { makeFolders, writeFileAtomically, parsedJson } from '../../io/index.ts';
import { continuationSchema } from '../../evaluation/model-settings.schema.ts';
import type { ForwardReply } from '../forward.ts';
import type { ModelReply } from '../reply.ts';
import { bytesOnDisk, entryPath, evict, type Shelf, GONE } from './folder.ts';
import { digestJson } from './key.ts';
import { systemErrorCode } from '../../errors/index.ts';

export const DEFAULT_MAX_BYTES = 1024 ** 3;

interface CompletionStoreOptions<Reply> {
  readonly schema: z.ZodType<Reply>;
  /** Absolute path; made when the first completion is stored. */
  readonly folder: string;
  /** Disk space that all completions may use, in bytes. @default 1 GiB */
  readonly maxBytes?: number;
  /** Called once if completions cannot be stored, with one sentence. */
  readonly warn: (message: string) => void;
  /** A number from 0 to below 1. @default Math.random */
  readonly random?: () => number;
}

export interface CompletionPlace {
  readonly shelf: Shelf;
  /** Key by {@link completionKey}. */
  readonly key: string;
}

/** Mode of the files; conversations are private. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Share of the limit that a process stores before it checks the size again. */
const CHECK_SHARE = 1 / 32;
/** Share of the bound that remains after eviction. */
const KEEP_SHARE = 0.9;

export class CompletionStore<Reply extends object> {
  readonly #schema: z.ZodType<Reply>;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #interval: number;
  readonly #warn: (message: string) => void;
  /** Bytes to store before the next size check. */
  #untilCheck: number;
  #check: Promise<void> | null = null;
  #hasWarned = false;

  constructor({
    schema,
    folder,
    maxBytes = DEFAULT_MAX_BYTES,
    warn,
    random = Math.random,
  }: CompletionStoreOptions<Reply>) {
    this.#schema = schema;
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#interval = maxBytes * CHECK_SHARE;
    this.#warn = warn;
    // A random start: many short processes, which do not know of each other, check as often together as a long one.
    this.#untilCheck = this.#interval * random();
  }

  /** @returns null without a usable entry */
  async find({ shelf, key }: CompletionPlace): Promise<Reply | null> {
    const path = entryPath(this.#folder, shelf, key);
    try {
      const reply = readEntry(this.#schema, key, await readFile(path, 'utf8'));
      // Eviction goes by the file's time. A file that has vanished meanwhile was still read.
      if (reply !== null) await utimes(path, new Date(), new Date()).catch(() => undefined);
      return reply;
    } catch (error) {
      if (!GONE.includes(systemErrorCode(error) ?? '')) this.#warnOnce('read', error);
      return null;
    }
  }

  async keep({ shelf, key }: CompletionPlace, reply: Reply): Promise<void> {
    const path = entryPath(this.#folder, shelf, key);
    const text = writeEntry(key, reply);
    try {
      await write(path, text);
      this.#count(bytesOnDisk(Buffer.byteLength(text)));
    } catch (error) {
      this.#warnOnce('stored', error);
    }
  }

  /** Settles when no size check is running. For tests only. */
  async idle(): Promise<void> {
    await this.#check;
  }

  #count(bytes: number): void {
    this.#untilCheck -= bytes;
    if (this.#untilCheck > 0 || this.#check !== null) return;
    this.#untilCheck = this.#interval;
    // A check leaves space for what is stored until the next one.
    this.#check = evict(this.#folder, this.#maxBytes - this.#interval, this.#maxBytes * KEEP_SHARE)
      .then(
        () => undefined,
        (error: unknown) => this.#warnOnce('kept within their bound', error),
      )
      .finally(() => {
        this.#check = null;
      });
  }

  #warnOnce(what: string, error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#warn(`completions in ${this.#folder} cannot be ${what} (${reason}); the run goes on without the cache`);
  }
}

/** Most tries to write a file. More than two are needed only while another process removes empty folders. */
const WRITE_TRIES = 5;

async function write(path: string, text: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Not synced to the disk: a file that a power cut damages is recognized as damaged.
      await writeFileAtomically(path, text, { mode: FILE_MODE, sync: false });
      return;
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT' || tries === WRITE_TRIES) throw error;
      await makeFolders(dirname(path), FOLDER_MODE);
    }
  }
}

function writeEntry(key: string, reply: object): string {
  return `${JSON.stringify({ format: ENTRY_FORMAT, key, digest: digestJson(reply), reply })}\n`;
}

/** @returns null for a text that is damaged, of another version, or of another key */
function readEntry<Reply>(schema: z.ZodType<Reply>, key: string, text: string): Reply | null {
  const parsed = entrySchema.safeParse(parsedJson(text));
  if (!parsed.success || parsed.data.key !== key) return null;
  const { digest, reply } = parsed.data;
  const read = schema.safeParse(reply);
  return read.success && digestJson(read.data) === digest ? read.data : null;
}

/** Raise it when older entries do not fit a changed form of replies. */
const ENTRY_FORMAT = 1;

const count = z.int().nonnegative();

const toolCallSchema = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const usage = z.strictObject({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count.optional(),
  reasoningTokens: count,
});

/** Strict, because an unknown field means another version. */
export const replySchema: z.ZodType<ModelReply> = z.strictObject({
  message: z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(toolCallSchema).optional(),
    continuation: continuationSchema.strict().optional(),
  }),
  finishReason: z.string(),
  usage,
  usageReported: z.boolean(),
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
  requestId: z.string().nullable(),
  latencyMs: z.number().nonnegative(),
  leftOut: z.array(z.string()).optional(),
  repairs: z.array(z.string()).optional(),
});

/** Answer to a request that an agent has written itself. */
export const forwardReplySchema: z.ZodType<ForwardReply> = z.strictObject({
  status: z.number().int(),
  body: z.string(),
  servedModel: z.string(),
  finishReason: z.string(),
  usage,
  usageReported: z.boolean(),
  reportedCostUsd: z.number().optional(),
  latencyMs: z.number().nonnegative(),
});

const entrySchema = z.strictObject({
  format: z.literal(ENTRY_FORMAT),
  /** The entry's own key, so that a renamed or copied file is not used. */
  key: z.string(),
  /** {@link digestJson} of the reply. */
  digest: z.string(),
  reply: z.unknown(),
});
