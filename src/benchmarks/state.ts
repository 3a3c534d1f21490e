/** Compares and hashes states of the data, at the cost of the written records. */

import type { Overlay, Tables } from './overlay.ts';
import { recordText, tauStateText, type StateText, type TableText } from './state-text.ts';
import {
  compareText,
  hashableRepr,
  isDict,
  spellingFreeRepr,
  isList,
  type PyDict,
  type PyValue,
} from './python/index.ts';

/** Returns the sha256 of the concatenated chunks' UTF-8, in lower-case hex. */
export type Sha256 = (chunks: Iterable<string>) => string;

/** Returns true if the benchmark's hashes of two states are equal; numbers must have the same spelling too. */
export function sameState(data: Tables, a: Overlay, b: Overlay): boolean {
  return isSame(data.tables.keys(), a, b, recordText);
}

/** Works like {@link sameState}, but `131` and `131.0` are the same. */
export function sameButForSpelling(data: Tables, a: Overlay, b: Overlay): boolean {
  return isSame(data.tables.keys(), a, b, spellingFreeRepr);
}

/**
 * Returns the benchmark's hash: sha256 over the repr of the data made hashable. Each record is rendered once while it
 * is in memory, so after the first time only written records cost more than hashing. `StateHasher` is for many states
 * of the same data.
 * @param text how the data are written. @default tau-bench's way
 */
export function dataHash(data: Tables, overlay: Overlay, sha256: Sha256, text = tauStateText(data)): string {
  return sha256(chunks(data, overlay, text));
}

/** Returns true if the records of two states of the same data have the same text in every table that is named. */
export function isSame(tables: Iterable<string>, a: Overlay, b: Overlay, text: (record: PyDict) => string): boolean {
  for (const table of tables) {
    const ids = new Set([...a.written(table).keys(), ...b.written(table).keys()]);
    for (const id of ids) {
      const left = a.find(table, id);
      const right = b.find(table, id);
      if (left === right) continue;
      if (left === undefined || right === undefined || text(left) !== text(right)) return false;
    }
  }
  return true;
}

function* chunks(data: Tables, overlay: Overlay, text: StateText): Iterable<string> {
  yield text.open;
  for (const { table, open, close, isSorted, entry } of text.tables) {
    yield open;
    const ids = listIds(data, overlay, table, isSorted);
    for (const [position, id] of ids.entries()) {
      yield `${position === 0 ? '' : ', '}${entry(id, text.record(overlay.get(table, id)))}`;
    }
    yield close(ids.length);
  }
  yield text.close;
}

function listIds(data: Tables, overlay: Overlay, table: string, isSorted: boolean): readonly string[] {
  const records = getRecords(data, table);
  const ids = isSorted ? sortedBaseIds(records) : Array.from(records.keys());
  const added = Array.from(overlay.written(table).keys()).filter((id) => !records.has(id));
  if (added.length === 0) return ids;
  return isSorted ? [...ids, ...added].sort(compareText) : [...ids, ...added];
}

/** Returns the unwritten records of a table by id, in the order in which they are hashed. */
export function hashedRecords(
  data: Tables,
  { table, isSorted }: TableText,
): readonly (readonly [id: string, record: PyDict])[] {
  const records = getRecords(data, table);
  return (isSorted ? sortedBaseIds(records) : Array.from(records.keys())).map((id) => {
    const record = records.get(id);
    if (!isDict(record)) throw new Error(`the record ${id} of ${table} is not an object; import the pack again`);
    return [id, record];
  });
}

function getRecords(data: Tables, table: string): PyDict {
  const records = data.tables.get(table);
  if (!isDict(records)) throw new Error(`the table ${table} is not an object; import the pack again`);
  return records;
}

function sortedBaseIds(records: PyDict): readonly string[] {
  let ids = sortedIdsOfTable.get(records);
  if (ids === undefined) sortedIdsOfTable.set(records, (ids = Array.from(records.keys()).sort(compareText)));
  return ids;
}

/** Sorted ids of tables, stored as long as the tables, which never change. */
const sortedIdsOfTable = new WeakMap<PyDict, readonly string[]>();

/** A value that differs between two states; absent in a state that lacks it. */
export interface FieldDiff {
  /** Path of keys and positions in lists; empty if only one state has the whole record. */
  readonly path: readonly (string | number)[];
  readonly a?: PyValue;
  readonly b?: PyValue;
}

export interface RecordDiff {
  readonly table: string;
  readonly id: string;
  readonly fields: readonly FieldDiff[];
}

/**
 * Returns differing records in the order of tables and ids, fields in the first state's order; empty if the hashes are
 * equal.
 */
export function diffStates(data: Tables, a: Overlay, b: Overlay): RecordDiff[] {
  const diffs: RecordDiff[] = [];
  for (const table of data.tables.keys()) {
    const ids = new Set([...a.written(table).keys(), ...b.written(table).keys()]);
    for (const id of Array.from(ids).sort(compareText)) {
      const fields = diffValues(a.find(table, id), b.find(table, id), []);
      if (fields.length > 0) diffs.push({ table, id, fields });
    }
  }
  return diffs;
}

/** Returns the places where two values differ; `path` is the place of the values themselves. */
export function diffValues(a: PyValue | undefined, b: PyValue | undefined, path: FieldDiff['path']): FieldDiff[] {
  if (a === b) return [];
  if (a === undefined || b === undefined) {
    return [{ path, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }];
  }
  if (isDict(a) && isDict(b)) return diffDicts(a, b, path);
  if (isList(a) && isList(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, at) => diffValues(a[at], b[at], [...path, at])).flat();
  }
  return hashableRepr(a) === hashableRepr(b) ? [] : [{ path, a, b }];
}

function diffDicts(a: PyDict, b: PyDict, path: FieldDiff['path']): FieldDiff[] {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return Array.from(keys).flatMap((key) => diffValues(a.get(key), b.get(key), [...path, key]));
}
