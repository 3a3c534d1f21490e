/**
 * The text that the benchmark hashes untouched data as, in bytes, with the place of every record in it; and how the
 * records of a state change it.
 */

import type { EnvData } from './environment.ts';
import type { Hashing } from './hasher.ts';
import type { Overlay } from './overlay.ts';
import { compareText, hashableRepr, quote, type PyDict } from './python/index.ts';
import { recordText, sortedRecords } from './state.ts';

/** Puts bytes in the place of those from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** A record in the text: its `(id, record)`, without what separates it from its neighbours. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly record: PyDict;
}

/** A table's entries by id, in the order of the text. */
type Entries = ReadonlyMap<string, Entry>;

export class BaseText {
  readonly bytes: Uint8Array;
  readonly #encode: Hashing['encode'];
  readonly #tables: ReadonlyMap<string, Entries>;

  constructor(data: EnvData, encode: Hashing['encode']) {
    const writer = new Writer(encode);
    const names = Array.from(data.tables.keys()).sort(compareText);
    writer.write('(');
    const tables = names.map((table, at) => {
      writer.write(`${at === 0 ? '' : ', '}(${quote(table)}, (`);
      const entries = writeEntries(sortedRecords(data, table), writer);
      writer.write(entries.size === 1 ? ',))' : '))');
      return [table, entries] as const;
    });
    writer.write(names.length === 1 ? ',)' : ')');
    this.#encode = encode;
    this.#tables = new Map(tables);
    this.bytes = writer.bytes();
  }

  /**
   * What makes this text that of the state, in the order of the text. A record that was written as it had been is no
   * edit. Undefined where a table of less than two records has got one more: then the commas around change as well.
   */
  editsOf(state: Overlay): readonly Edit[] | undefined {
    const edits: (Edit & { readonly id: string })[] = [];
    for (const [table, entries] of this.#tables) {
      const added: string[] = [];
      for (const [id, record] of state.written(table)) {
        const entry = entries.get(id);
        if (entry === undefined) added.push(id);
        else if (recordText(entry.record) !== recordText(record)) {
          edits.push({ id, start: entry.start, end: entry.end, bytes: this.#encode(entryText(id, record)) });
        }
      }
      if (added.length === 0) continue;
      if (entries.size < 2) return undefined;
      const ids = Array.from(entries.keys());
      for (const id of added) {
        const text = entryText(id, state.get(table, id));
        const after = entries.get(ids.findLast((other) => compareText(other, id) < 0) ?? '');
        const at = after?.end ?? entries.get(ids[0] ?? '')?.start ?? 0;
        edits.push({ id, start: at, end: at, bytes: this.#encode(after === undefined ? `${text}, ` : `, ${text}`) });
      }
    }
    // Where records are added at the place at which one is replaced, they come before or after it by their ends.
    return edits.sort((a, b) => a.start - b.start || a.end - b.end || compareText(a.id, b.id));
  }
}

function writeEntries(records: readonly (readonly [string, PyDict])[], writer: Writer): Entries {
  const entries = new Map<string, Entry>();
  for (const [id, record] of records) {
    if (entries.size > 0) writer.write(', ');
    const start = writer.length;
    // Not kept as text: it is in the bytes, and only records that are written are asked for again.
    writer.write(`(${quote(id)}, ${hashableRepr(record)})`);
    entries.set(id, { start, end: writer.length, record });
  }
  return entries;
}

function entryText(id: string, record: PyDict): string {
  return `(${quote(id)}, ${recordText(record)})`;
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
