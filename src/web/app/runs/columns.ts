/** Columns of the table of runs. */

import type { ListSort } from '../address.ts';

export interface Column {
  readonly title: string;
  /** undefined: it cannot be sorted by. */
  readonly sort?: ListSort;
}

export const COLUMNS: readonly Column[] = [
  { title: 'Run', sort: 'run' },
  { title: 'pass^1', sort: 'score' },
  { title: 'Episodes', sort: 'episodes' },
  { title: 'Errors', sort: 'errors' },
  { title: 'Cost', sort: 'cost' },
  { title: 'Status' },
  { title: 'Strategy', sort: 'strategy' },
  { title: 'Model', sort: 'model' },
  { title: 'Started', sort: 'started' },
];
