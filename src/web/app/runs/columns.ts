/** Columns of the table of runs. */

import type { ListSort } from '../address.ts';

export interface Column {
  readonly title: string;
  /** undefined: it cannot be sorted by. */
  readonly sort?: ListSort;
  /** CSS; undefined: the rest. */
  readonly width?: string;
  /** Class of what narrower screens leave out. */
  readonly class?: 'is-second' | 'is-third';
}

export const COLUMNS: readonly Column[] = [
  { title: 'Run', sort: 'run' },
  { title: 'pass^1', sort: 'score', width: '150px' },
  { title: 'Episodes', sort: 'episodes', width: '96px' },
  { title: 'Errors', sort: 'errors', width: '68px' },
  { title: 'Cost', sort: 'cost', width: '80px' },
  { title: 'Status', width: '136px' },
  { title: 'Strategy', sort: 'strategy', width: '120px', class: 'is-third' },
  { title: 'Model', sort: 'model', width: '116px' },
  { title: 'Started', sort: 'started', width: '146px', class: 'is-second' },
];
