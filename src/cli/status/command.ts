/** `tauflow list` and `tauflow status RUN`. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ListFlags } from './list.ts';
import type { StatusFlags } from './show.ts';

export function addListCommand(program: Command, context: CliContext): void {
  program
    .command('list')
    .description('list the runs of a log folder and of its server')
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .option('--strategy <name>', 'only runs with this agent strategy')
    .option('--model <model>', 'only runs with this agent model')
    .option('--status <status>', 'only runs with this status: running, completed, interrupted, …')
    .option('--limit <n>', 'number of runs, newest first', '50')
    .option('--json', 'print one JSON document')
    .action(async (flags: ListFlags) => {
      const { showRuns } = await import('./list.ts');
      await showRuns(flags, context);
    });
}

export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('show the progress, costs and failures of a run')
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .option('--watch', 'follow the run to its end; runs no worker')
    .option('--json', 'print one JSON document')
    .action(async (runId: string, flags: StatusFlags) => {
      const { showStatus } = await import('./show.ts');
      await showStatus(runId, flags, context);
    });
}
