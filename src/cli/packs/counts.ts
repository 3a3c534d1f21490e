/** The records of a pack in words, for the lines of `data import` and `data verify`. */

import { formatCount } from '../../results/document/index.ts';

/** @param records their number by table, such as `orders`: a table is named by the plural of its records */
export function countRecords(records: Readonly<Record<string, number>>): string[] {
  return Object.entries(records).map(([table, count]) => {
    // Telecom's `user` holds the two halves of one thing, the phone and where it is.
    if (table === 'user') return '1 user device';
    return `${formatCount(count)} ${count === 1 ? table.replace(/s$/, '') : table}`;
  });
}
