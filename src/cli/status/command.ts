/** `tauflow list` and `tauflow status RUN`: what runs there are, and how far one is. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ListFlags } from './list.ts';
import type { StatusFlags } from './show.ts';

export function addListCommand(program: Command, context: CliContext): void {
  program
    .command('list')
    .description('list the runs of a log folder, and those that its server knows')
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .option('--strategy <name>', 'only of this agent strategy')
    .option('--model <model>', "only of this agent's model")
    .option('--status <status>', 'only those that are running, completed, interrupted, …')
    .option('--limit <n>', 'the newest ones, this many', '50')
    .option('--json', 'print one JSON document')
    .action(async (flags: ListFlags) => {
      const { showRuns } = await import('./list.ts');
      await showRuns(flags, context);
    });
}

export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('how far a run is: its progress, costs and failures so far')
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .option('--watch', 'follow it to its end, without working on it')
    .option('--json', 'print one JSON document')
    .action(async (runId: string, flags: StatusFlags) => {
      const { showStatus } = await import('./show.ts');
      await showStatus(runId, flags, context);
    });
}
