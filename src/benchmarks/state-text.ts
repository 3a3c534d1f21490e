/** The text of an environment's data, which a benchmark hashes; tau-bench's is the default. */

import type { Tables } from './overlay.ts';
import { compareText, hashableRepr, quote, type PyDict } from './python/index.ts';

/** The text consists of `open`, the tables one after the other, and `close`. */
export interface StateText {
  readonly open: string;
  readonly tables: readonly TableText[];
  readonly close: string;
  /** Returns a record's text, which stays in memory as long as the record. */
  readonly record: (record: PyDict) => string;
  /** Returns a record's text without storing it, for the many records that no episode writes. */
  readonly recordOnce: (record: PyDict) => string;
}

/** A table's text consists of `open`, its entries separated by `, `, and `close`. */
export interface TableText {
  readonly table: string;
  readonly open: string;
  readonly close: (count: number) => string;
  /** True if entries are ordered by id; false for the table's own order, with added entries last. */
  readonly isSorted: boolean;
  readonly entry: (id: string, recordText: string) => string;
}

/** Returns tau-bench's text: the repr of the data made hashable. */
export function tauStateText({ tables }: Tables): StateText {
  const names = Array.from(tables.keys()).sort(compareText);
  return {
    open: '(',
    tables: names.map((table, at) => ({
      table,
      open: `${at === 0 ? '' : ', '}(${quote(table)}, (`,
      close: (count) => (count === 1 ? ',))' : '))'),
      isSorted: true,
      entry: (id, recordText) => `(${quote(id)}, ${recordText})`,
    })),
    close: names.length === 1 ? ',)' : ')',
    record: recordText,
    recordOnce: hashableRepr,
  };
}

/** Returns a record's text as tau-bench hashes it. tau-bench considers records equal if these texts are equal. */
export const recordText = keptText(hashableRepr);

/** Renders each record once as long as it stays in memory; stored records never change. */
export function keptText(render: (record: PyDict) => string): (record: PyDict) => string {
  const rendered = new WeakMap<PyDict, string>();
  return (record) => {
    let text = rendered.get(record);
    if (text === undefined) rendered.set(record, (text = render(record)));
    return text;
  };
}
