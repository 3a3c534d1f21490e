/**
 * Completions on disk, shared by every process of this user that has the same folder.
 *
 * A file is replaced in one go, so a reader sees a whole completion or none, and two processes that store the same key
 * store one after the other. Nothing here makes a call fail: a file that is damaged or cannot be read is a completion
 * that is not there, and what cannot be written is told once and not stored.
 */

import { readFile, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders, writeFileAtomically } from '../../io/index.ts';
import type { ModelReply } from '../reply.ts';
import { readEntry, writeEntry } from './entry.ts';
import { entryPath, type Shelf } from './places.ts';
import { evict } from './remove.ts';
import { bytesOnDisk } from './scan.ts';
import { isSystemError } from './system-error.ts';

export const DEFAULT_MAX_BYTES = 1024 ** 3;

export interface CompletionStoreOptions {
  /** Absolute path; made when the first completion is stored. */
  readonly folder: string;
  /** What all completions may take up on the disk, in bytes. @default 1 GiB */
  readonly maxBytes?: number;
  /** Told once that completions cannot be stored, one sentence. */
  readonly warn: (message: string) => void;
  /** A number from 0 to below 1. @default Math.random */
  readonly random?: () => number;
}

/** Where a completion is. */
export interface CompletionPlace {
  readonly shelf: Shelf;
  /** As {@link completionKey} makes it. */
  readonly key: string;
}

/** Conversations are nobody else's business. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The size is looked at each time that a process has stored this share of the bound. */
const CHECK_SHARE = 1 / 32;
/** What stays after a check that found too much. */
const KEEP_SHARE = 0.9;

export class CompletionStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #interval: number;
  readonly #warn: (message: string) => void;
  /** Bytes that may still be stored before the size is looked at. */
  #untilCheck: number;
  #check: Promise<void> | null = null;
  #hasWarned = false;

  constructor({ folder, maxBytes = DEFAULT_MAX_BYTES, warn, random = Math.random }: CompletionStoreOptions) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#interval = maxBytes * CHECK_SHARE;
    this.#warn = warn;
    // Many short processes together look as often as one long one, though none knows of the others.
    this.#untilCheck = this.#interval * random();
  }

  /** @returns null where there is none that can be used */
  async find({ shelf, key }: CompletionPlace): Promise<ModelReply | null> {
    const path = entryPath(this.#folder, shelf, key);
    try {
      const reply = readEntry(key, await readFile(path, 'utf8'));
      // The file's time is what eviction goes by; a file that is gone meanwhile has been read all the same.
      if (reply !== null) await utimes(path, new Date(), new Date()).catch(() => undefined);
      return reply;
    } catch (error) {
      if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) this.#tell('read', error);
      return null;
    }
  }

  async keep({ shelf, key }: CompletionPlace, reply: ModelReply): Promise<void> {
    const path = entryPath(this.#folder, shelf, key);
    const text = writeEntry(key, reply);
    try {
      await write(path, text);
      this.#count(bytesOnDisk(Buffer.byteLength(text)));
    } catch (error) {
      this.#tell('stored', error);
    }
  }

  /** Settles when no look at the size is under way. For tests: nobody else has to wait for it. */
  async idle(): Promise<void> {
    await this.#check;
  }

  #count(bytes: number): void {
    this.#untilCheck -= bytes;
    if (this.#untilCheck > 0 || this.#check !== null) return;
    this.#untilCheck = this.#interval;
    // A check leaves room for what is stored until the next one.
    this.#check = evict(this.#folder, this.#maxBytes - this.#interval, this.#maxBytes * KEEP_SHARE)
      .then(
        () => undefined,
        (error: unknown) => this.#tell('kept within their bound', error),
      )
      .finally(() => {
        this.#check = null;
      });
  }

  #tell(what: string, error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#warn(`completions in ${this.#folder} cannot be ${what} (${reason}); the run goes on without the cache`);
  }
}

/** More than two happen only while another process removes folders that it finds empty. */
const WRITE_TRIES = 5;

async function write(path: string, text: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // Not forced to the disk: what a power cut leaves of it is found to be damaged.
      await writeFileAtomically(path, text, { mode: FILE_MODE, sync: false });
      return;
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || tries === WRITE_TRIES) throw error;
      await makeFolders(dirname(path), FOLDER_MODE);
    }
  }
}
