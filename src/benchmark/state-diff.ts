/** Differences of two states of the data, down to the fields of records. Numbers differ when their spelling does. */

import type { EnvData } from './environment.ts';
import type { Overlay } from './overlay.ts';
import { compareText, hashableRepr, isDict, isList, type PyDict, type PyValue } from './python/index.ts';

/** A value that one state has another way, or not at all: then it is absent. */
export interface FieldDiff {
  /** Keys, and positions in lists; empty when the record as a whole is in one state only. */
  readonly path: readonly (string | number)[];
  readonly a?: PyValue;
  readonly b?: PyValue;
}

export interface RecordDiff {
  readonly table: string;
  readonly id: string;
  readonly fields: readonly FieldDiff[];
}

/** Records in the order of their tables and ids, fields in that of the first state; empty when the hashes are equal. */
export function diffStates(data: EnvData, a: Overlay, b: Overlay): RecordDiff[] {
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

/** Returns the places where two values differ; `path` is that of the values themselves. */
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
