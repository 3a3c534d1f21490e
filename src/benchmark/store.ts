/** A tool's view of the environment's data. Records are immutable: a tool changes one by putting another. */

import type { PyDict, PyValue } from './python/index.ts';

export interface Store {
  /**
   * `data[table].get(id)`.
   * @throws PyError when the id cannot be a key, or there is no such table
   */
  find(table: string, id: PyValue): PyDict | undefined;
  /**
   * `data[table][id]`.
   * @throws PyError as {@link find}, and a KeyError when there is no such record
   */
  get(table: string, id: PyValue): PyDict;
  /** The table's records in order, those that were added last. */
  entries(table: string): Iterable<readonly [id: string, record: PyValue]>;
  /** `data[table][id] = record`: replaces a record in its place, or adds one at the end. */
  put(table: string, id: PyValue, record: PyDict): void;
}
