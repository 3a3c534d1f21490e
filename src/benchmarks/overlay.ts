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

/** An environment's data, of either benchmark. */
export interface Tables {
  /** Table name → records; never changed. */
  readonly tables: PyDict;
  /** The state in which an episode begins. @default the tables as they are */
  readonly start?: Overlay;
}

/** The state of a fresh episode. */
export function openOverlay({ tables, start }: Tables): Overlay {
  return start?.copy() ?? new Overlay(tables);
}

/**
 * An episode's state: the records that differ from the pack's tables, over the tables themselves.
 *
 * The tables are shared by all episodes of a process and never change; neither does a record once it is stored.
 * Opening, copying and comparing states therefore costs only what an episode has written.
 */
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

  /** Number of records put: two equal counts mean that nothing was written in between. */
  get writes(): number {
    return this.#writes;
  }

  /** The records that were put, by id. */
  written(table: string): Records {
    return this.#written.get(table) ?? NONE;
  }

  /** An independent state that starts where this one is. */
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
    return written === undefined ? this.#base(table) : merged(this.#base(table), written);
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

/** A table after the writes. */
function* merged(base: PyDict, written: Records): Iterable<readonly [id: string, record: PyValue]> {
  for (const [id, record] of base) yield [id, written.get(id) ?? record];
  for (const entry of written) if (!base.has(entry[0])) yield entry;
}

/** Packs are checked when they are read; this guards data that were put together by hand. */
function requireRecord(value: PyValue): PyDict {
  if (!isDict(value)) throw typeError(`'${typeName(value)}' object is not a record`);
  return value;
}
