/**
 * The data hash of many states of one pack. The text of untouched data is kept with hashers that have read it up to
 * so many places, so that a state costs what comes after its first written record; and a state that was hashed lately
 * costs what it has written.
 */

import { BaseText, type Edit } from './base-text.ts';
import type { EnvData } from './environment.ts';
import type { Hasher, Hashing } from './hasher.ts';
import type { Overlay } from './overlay.ts';
import { dataHash } from './state.ts';

/** Bytes between two places to resume from: sha256 reads this much in 10 µs. */
const STRIDE = 16 * 1024;
/** States whose hash is kept; each takes some 200 bytes. */
const MAX_KNOWN = 10_000;

export interface StateHasherOptions {
  /** States whose hash is kept. @default 10,000 */
  readonly maxKnown?: number;
}

export class StateHasher {
  readonly #data: EnvData;
  readonly #hashing: Hashing;
  readonly #maxKnown: number;
  /** From a digest of what was written to the hash; those asked for last come last. */
  readonly #known = new Map<string, string>();
  #base: { readonly text: BaseText; readonly resume: readonly Hasher[] } | undefined;

  constructor(data: EnvData, hashing: Hashing, { maxKnown = MAX_KNOWN }: StateHasherOptions = {}) {
    this.#data = data;
    this.#hashing = hashing;
    this.#maxKnown = maxKnown;
  }

  /** The benchmark's hash of the state; the same as {@link dataHash} gives. */
  hash(state: Overlay): string {
    this.#base ??= this.#readBase();
    const edits = this.#base.text.editsOf(state);
    if (edits === undefined) return dataHash(this.#data, state, (chunks) => this.#digestOf(chunks));
    const key = this.#keyOf(edits);
    const hash = this.#known.get(key) ?? this.#resume(this.#base.text.bytes, this.#base.resume, edits);
    this.#known.delete(key);
    this.#known.set(key, hash);
    if (this.#known.size > this.#maxKnown) this.#forgetOldest();
    return hash;
  }

  #readBase() {
    const text = new BaseText(this.#data, this.#hashing.encode);
    const hasher = this.#hashing.start();
    const resume: Hasher[] = [];
    for (let at = 0; at < text.bytes.length; at += STRIDE) {
      resume.push(hasher.copy());
      hasher.update(text.bytes.subarray(at, at + STRIDE));
    }
    return { text, resume };
  }

  #resume(bytes: Uint8Array, resume: readonly Hasher[], edits: readonly Edit[]): string {
    const place = Math.min(Math.floor((edits[0]?.start ?? bytes.length) / STRIDE), resume.length - 1);
    const hasher = resume[place]?.copy() ?? this.#hashing.start();
    let read = Math.max(place, 0) * STRIDE;
    for (const edit of edits) {
      hasher.update(bytes.subarray(read, edit.start));
      hasher.update(edit.bytes);
      read = edit.end;
    }
    hasher.update(bytes.subarray(read));
    return hasher.digest();
  }

  #keyOf(edits: readonly Edit[]): string {
    const hasher = this.#hashing.start();
    for (const { start, end, bytes } of edits) {
      hasher.update(this.#hashing.encode(`${String(start)}-${String(end)} ${String(bytes.length)}:`));
      hasher.update(bytes);
    }
    return hasher.digest();
  }

  #digestOf(chunks: Iterable<string>): string {
    const hasher = this.#hashing.start();
    for (const chunk of chunks) hasher.update(this.#hashing.encode(chunk));
    return hasher.digest();
  }

  #forgetOldest(): void {
    for (const key of this.#known.keys()) {
      this.#known.delete(key);
      return;
    }
  }
}
