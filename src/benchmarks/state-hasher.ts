/**
 * Computes the data hash of many states of one pack. Hashers that have read the unchanged text up to certain positions
 * stay in memory, so only the text after a state's first written record is hashed. Hashes of recent states stay in
 * memory too.
 */

import type { Overlay, Tables } from './overlay.ts';
import { dataHash, hashedRecords } from './state.ts';
import { tauStateText, type StateText, type TableText } from './state-text.ts';
import { compareText, type PyDict } from './python/index.ts';

/** Distance in bytes between the positions of stored hashers; sha256 reads this much in 10 µs. */
const STRIDE = 16 * 1024;
/** Most states whose hash stays in memory; each takes some 200 bytes. */
const MAX_KNOWN = 10_000;

interface StateHasherOptions {
  /** Most states whose hash stays in memory. @default 10,000 */
  readonly maxKnown?: number;
  /** Text of the data in the benchmark's form. @default tau-bench's form */
  readonly text?: StateText;
}

export class StateHasher {
  readonly #data: Tables;
  readonly #hashing: Hashing;
  readonly #text: StateText;
  readonly #maxKnown: number;
  /** Hashes by a digest of the writes, in the order of last use. */
  readonly #known = new Map<string, string>();
  #base: { readonly text: BaseText; readonly resume: readonly Hasher[] } | undefined;

  constructor(
    data: Tables,
    hashing: Hashing,
    { maxKnown = MAX_KNOWN, text = tauStateText(data) }: StateHasherOptions = {},
  ) {
    this.#data = data;
    this.#text = text;
    this.#hashing = hashing;
    this.#maxKnown = maxKnown;
  }

  /** Returns the benchmark's hash of the state, as {@link dataHash} does. */
  hash(state: Overlay): string {
    this.#base ??= this.#readBase();
    const edits = this.#base.text.findEdits(state);
    if (edits === undefined) return dataHash(this.#data, state, (chunks) => this.#digest(chunks), this.#text);
    const key = this.#hashEdits(edits);
    const hash = this.#known.get(key) ?? this.#resume(this.#base.text.bytes, this.#base.resume, edits);
    this.#known.delete(key);
    this.#known.set(key, hash);
    if (this.#known.size > this.#maxKnown) this.#forgetOldest();
    return hash;
  }

  #readBase() {
    const text = new BaseText(this.#data, this.#text, this.#hashing.encode);
    const hasher = this.#hashing.start();
    const resume: Hasher[] = [];
    for (let at = 0; at < text.bytes.length; at += STRIDE) {
      resume.push(hasher.copy());
      hasher.update(text.bytes.subarray(at, at + STRIDE));
    }
    return { text, resume };
  }

  #resume(bytes: Uint8Array, resume: readonly Hasher[], edits: readonly TextEdit[]): string {
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

  #hashEdits(edits: readonly TextEdit[]): string {
    const hasher = this.#hashing.start();
    for (const { start, end, bytes } of edits) {
      hasher.update(this.#hashing.encode(`${String(start)}-${String(end)} ${String(bytes.length)}:`));
      hasher.update(bytes);
    }
    return hasher.digest();
  }

  #digest(chunks: Iterable<string>): string {
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

/** Replaces the bytes from `start` to `end`. */
interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** A record in the text, `(id, record)`, without separators. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly record: PyDict;
}

/** A table's entries by id, in the order of the text. */
type Entries = ReadonlyMap<string, Entry>;

class BaseText {
  readonly bytes: Uint8Array;
  readonly #encode: Hashing['encode'];
  readonly #text: StateText;
  readonly #entries: ReadonlyMap<TableText, Entries>;

  constructor(data: Tables, text: StateText, encode: Hashing['encode']) {
    const writer = new Writer(encode);
    writer.write(text.open);
    const tables = text.tables.map((table) => {
      writer.write(table.open);
      const entries = new Map<string, Entry>();
      for (const [id, record] of hashedRecords(data, table)) {
        if (entries.size > 0) writer.write(', ');
        const start = writer.length;
        // The record's text is not kept: the bytes contain it, and only written records are needed again.
        writer.write(table.entry(id, text.recordOnce(record)));
        entries.set(id, { start, end: writer.length, record });
      }
      writer.write(table.close(entries.size));
      return [table, entries] as const;
    });
    writer.write(text.close);
    this.#encode = encode;
    this.#text = text;
    this.#entries = new Map(tables);
    this.bytes = writer.bytes();
  }

  /**
   * Returns the edits that change this text into the state's text, in the order of the text. A record that was written
   * unchanged gives no edit. Undefined if a record was added to a table of less than two records, or to an unsorted
   * one.
   */
  findEdits(state: Overlay): readonly TextEdit[] | undefined {
    const edits: (TextEdit & { readonly id: string })[] = [];
    const { record: formatRecord } = this.#text;
    for (const [{ table, isSorted, entry: entryText }, entries] of this.#entries) {
      const added: string[] = [];
      for (const [id, record] of state.written(table)) {
        const entry = entries.get(id);
        if (entry === undefined) added.push(id);
        else if (formatRecord(entry.record) !== formatRecord(record)) {
          edits.push({
            id,
            start: entry.start,
            end: entry.end,
            bytes: this.#encode(entryText(id, formatRecord(record))),
          });
        }
      }
      if (added.length === 0) continue;
      if (entries.size < 2 || !isSorted) return undefined;
      const ids = Array.from(entries.keys());
      for (const id of added) {
        const text = entryText(id, formatRecord(state.get(table, id)));
        const after = entries.get(ids.findLast((other) => compareText(other, id) < 0) ?? '');
        const at = after?.end ?? entries.get(ids[0] ?? '')?.start ?? 0;
        edits.push({ id, start: at, end: at, bytes: this.#encode(after === undefined ? `${text}, ` : `, ${text}`) });
      }
    }
    // Records added at the place of a replaced one come before or after it; their ends decide.
    return edits.sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.id, b.id));
  }
}

class Writer {
  readonly #encode: Hashing['encode'];
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(encode: Hashing['encode']) {
    this.#encode = encode;
  }

  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    const piece = this.#encode(text);
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

/** A sha256 in progress, which can be copied and continued in several ways. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Returns an independent hasher that has read the same bytes. */
  copy(): Hasher;
  /** Returns the hash as lower-case hex; afterwards the hasher cannot be used. */
  digest(): string;
}

export interface Hashing {
  readonly start: () => Hasher;
  /** Encodes a text as UTF-8. */
  readonly encode: (text: string) => Uint8Array;
}
