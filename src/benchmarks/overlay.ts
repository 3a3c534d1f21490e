/** The state of an episode over the tables that all episodes share. */

import type { Store } from './domain.ts';
import {
  isDict,
  keyError,
  repr,
  requireHashable,
  typeError,
  typeName,
  type PyDict,
  type PyValue,
} from './python/index.ts';

/** The data of an environment. */
export interface Tables {
  /** Tables with their records; never changed. */
  readonly tables: PyDict;
  /** The state in which an episode begins. @default the tables unchanged */
  readonly start?: Overlay;
}

/** Returns the state of a new episode. */
export function openOverlay({ tables, start }: Tables): Overlay {
  return start?.copy() ?? new Overlay(tables);
}

/** Records of a table by id. */
type Records = ReadonlyMap<string, PyDict>;
const NONE: Records = new Map();

/** The part of a pack that the environment needs. */
export interface EnvData extends Tables {
  readonly domain: string;
  /** Tools that end an episode. */
  readonly terminateTools: readonly string[];
}

export class Overlay implements Store {
  readonly #tables: PyDict;
  readonly #written = new Map<string, Map<string, PyDict>>();
  #writes = 0;

  constructor(tables: PyDict) {
    this.#tables = tables;
  }

  /** Number of stored records. While it is unchanged, no record was stored. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns the stored records by id. */
  written(table: string): Records {
    return this.#written.get(table) ?? NONE;
  }

  /** Returns an independent state that begins with this one. */
  copy(): Overlay {
    const copy = new Overlay(this.#tables);
    copy.#writes = this.#writes;
    for (const [table, records] of this.#written) copy.#written.set(table, new Map<string, PyDict>(records));
    return copy;
  }

  find(table: string, id: PyValue): PyDict | undefined {
    const base = this.#base(table);
    requireHashable(id);
    if (typeof id !== 'string') return undefined;
    const record = this.#written.get(table)?.get(id) ?? base.get(id);
    return record === undefined ? undefined : requireRecord(record);
  }

  get(table: string, id: PyValue): PyDict {
    const record = this.find(table, id);
    if (record === undefined) throw keyError(repr(id));
    return record;
  }

  entries(table: string): Iterable<readonly [id: string, record: PyValue]> {
    const written = this.#written.get(table);
    return written === undefined ? this.#base(table) : mergeRecords(this.#base(table), written);
  }

  put(table: string, id: PyValue, record: PyDict): void {
    if (typeof id !== 'string') throw keyError(repr(id));
    let records = this.#written.get(table);
    if (records === undefined) this.#written.set(table, (records = new Map<string, PyDict>()));
    records.set(id, record);
    this.#writes++;
  }

  #base(table: string): PyDict {
    const base = this.#tables.get(table);
    if (base === undefined) throw keyError(repr(table));
    return requireRecord(base);
  }
}

/** Yields a table's records, with its writes. */
function* mergeRecords(base: PyDict, written: Records): Iterable<readonly [id: string, record: PyValue]> {
  for (const [id, record] of base) yield [id, written.get(id) ?? record];
  for (const entry of written) if (!base.has(entry[0])) yield entry;
}

/** Returns a record. Packs are checked when they are read; this check is for data from other code. */
function requireRecord(value: PyValue): PyDict {
  if (!isDict(value)) throw typeError(`'${typeName(value)}' object is not a record`);
  return value;
}
