/** The hashed form of τ³-bench's states: sha256 of `json.dumps(model_dump, sort_keys=True)` of each side's database. */

import { compareText, dumpSortedJson, quoteJson } from '../python/index.ts';
import type { Overlay } from '../overlay.ts';
import { isSame } from '../state.ts';
import { keptText, type StateText, type TableText } from '../state-text.ts';
import type { DatabaseTable, Side, Tau3Domain } from './domain.ts';

const record = keptText(dumpSortedJson);

/**
 * True if two states of the same data have the same hashes. Only written records are compared, because the id of a
 * record added to a list contains its position.
 */
export function sameDatabases({ assistant, user }: Tau3Domain, a: Overlay, b: Overlay): boolean {
  const tables = [...assistant.database, ...(user?.database ?? [])].map(({ table }) => table);
  return isSame(tables, a, b, record);
}

/** Returns the hashed text of a side's database. */
export function databaseText({ database }: Pick<Side, 'database'>): StateText {
  const [only] = database;
  const texts =
    database.length === 1 && only?.form === 'fields'
      ? [fieldsText(only)]
      : database.toSorted((a, b) => compareText(a.table, b.table)).map(tableText);
  return { open: '{', tables: texts, close: '}', record, recordOnce: dumpSortedJson };
}

function tableText({ table, form }: DatabaseTable, at: number): TableText {
  const open = `${at === 0 ? '' : ', '}${quoteJson(table)}: `;
  return form === 'list'
    ? { table, open: `${open}[`, close: () => ']', isSorted: false, entry: (_id, text) => text }
    : { table, open: `${open}{`, close: () => '}', isSorted: true, entry: keyText };
}

function fieldsText({ table }: DatabaseTable): TableText {
  return { table, open: '', close: () => '', isSorted: true, entry: keyText };
}

function keyText(id: string, text: string): string {
  return `${quoteJson(id)}: ${text}`;
}
