/** Describes the records of a pack, for the output of `data import` and `data verify`. */

import { formatCount } from '../../results/document/index.ts';

/** @param records number of records by table; a table's name is the plural of its records, such as `orders` */
export function countRecords(records: Readonly<Record<string, number>>): string[] {
  return Object.entries(records).map(([table, count]) => {
    // Telecom's `user` table has two records for one device: the phone and its place.
    if (table === 'user') return '1 user device';
    return `${formatCount(count)} ${count === 1 ? table.replace(/s$/, '') : table}`;
  });
}
