/** Comparing and hashing states of the data, at the cost of the records that were written. */

import type { EnvData } from './environment.ts';
import type { Overlay } from './overlay.ts';
import { hashableRepr, quote, spellingFreeRepr } from './python/repr.ts';
import { compareText } from './python/text.ts';
import { isDict, type PyDict } from './python/value.ts';

/** sha256 of the concatenated chunks' UTF-8, lower-case hex. Injected, because the benchmark is pure. */
export type Sha256 = (chunks: Iterable<string>) => string;

/** Whether the benchmark's hash of two states is the same; numbers must also be spelt alike. */
export function sameState(data: EnvData, a: Overlay, b: Overlay): boolean {
  return isSame(data, a, b, render);
}

/** As {@link sameState}, but `131` and `131.0` are the same. */
export function sameButForSpelling(data: EnvData, a: Overlay, b: Overlay): boolean {
  return isSame(data, a, b, spellingFreeRepr);
}

/**
 * The benchmark's hash: sha256 over the repr of the data made hashable. A record is rendered once as long as it
 * stays in memory, so after the first time only written records cost anything but hashing.
 */
export function dataHash(data: EnvData, overlay: Overlay, sha256: Sha256): string {
  return sha256(chunks(data, overlay));
}

function isSame(data: EnvData, a: Overlay, b: Overlay, text: (record: PyDict) => string): boolean {
  for (const table of data.tables.keys()) {
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

function* chunks(data: EnvData, overlay: Overlay): Iterable<string> {
  const tables = Array.from(data.tables.keys()).sort(compareText);
  yield '(';
  for (const [at, table] of tables.entries()) {
    yield `${at === 0 ? '' : ', '}(${quote(table)}, (`;
    const ids = sortedIds(data, overlay, table);
    for (const [position, id] of ids.entries()) {
      yield `${position === 0 ? '' : ', '}(${quote(id)}, ${render(overlay.get(table, id))})`;
    }
    yield ids.length === 1 ? ',))' : '))';
  }
  yield tables.length === 1 ? ',)' : ')';
}

function sortedIds(data: EnvData, overlay: Overlay, table: string): readonly string[] {
  const records = data.tables.get(table);
  if (!isDict(records)) throw new Error(`the table ${table} is not an object; import the pack again`);
  let ids = sortedIdsOfTable.get(records);
  if (ids === undefined) sortedIdsOfTable.set(records, (ids = Array.from(records.keys()).sort(compareText)));
  const added = Array.from(overlay.written(table).keys()).filter((id) => !records.has(id));
  return added.length === 0 ? ids : [...ids, ...added].sort(compareText);
}

/** Tables and stored records never change, so what is derived from them is kept as long as they are. */
const sortedIdsOfTable = new WeakMap<PyDict, readonly string[]>();
const rendered = new WeakMap<PyDict, string>();

function render(record: PyDict): string {
  let text = rendered.get(record);
  if (text === undefined) rendered.set(record, (text = hashableRepr(record)));
  return text;
}
