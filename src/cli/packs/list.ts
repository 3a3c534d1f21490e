/** The body of `tauflow data list`. */

import Table from 'cli-table3';
import { listPacks, type PackListing } from '../../packs/index.ts';
import { printJson, type CliContext } from '../context.ts';

export async function showPacks(json: boolean, context: CliContext): Promise<void> {
  const rows = (await listPacks({ home: context.home })).map(toRow);
  if (json) {
    printJson(rows, context);
    return;
  }
  const table = new Table({ head: ['pack', 'origin', 'tasks', 'digest', 'folder'], style: { head: [], border: [] } });
  for (const row of rows) {
    const splits = Object.entries(row.tasks ?? {}).map(([split, count]) => `${split} ${count}`);
    table.push([row.name, row.origin, row.problem ?? splits.join(', '), row.digest?.slice(0, 12) ?? '', row.path]);
  }
  context.out(table.toString());
}

interface PackRow {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly domain?: string;
  /** Split → number of tasks. */
  readonly tasks?: Readonly<Record<string, number>>;
  readonly digest?: string;
  /** Reason why it cannot be used. */
  readonly problem?: string;
}

function toRow(listing: PackListing): PackRow {
  const { name, origin, path } = listing;
  if (listing.kind === 'broken') return { name, origin, path, problem: listing.problem };
  const { domain, splits, ref } = listing.pack;
  const tasks = Object.fromEntries(Object.entries(splits).map(([split, list]) => [split, list.length]));
  return { name, origin, path, domain, tasks, digest: ref.digest };
}
