/** `tauflow check-row`: whether any data can have given a published row of pass^k. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { CheckRowFlags } from './check-row.ts';

export function addCheckRowCommand(program: Command, context: CliContext): void {
  program
    .command('check-row')
    .description('say whether any data can have given a published row of pass^1, pass^2, …')
    .argument('<figures...>', "pass^1, pass^2, … as published, as shares or percent; or a leaderboard's Markdown row")
    .option('--tasks <n>', 'tasks that the row is over')
    .option('--trials <n>', 'trials per task, the same for all (default: not known)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExits with 0 for a row that is possible, and with 1 for one that is not.')
    .action(async (figures: string[], flags: CheckRowFlags) => {
      const { checkPublishedRow } = await import('./check-row.ts');
      context.end(checkPublishedRow(figures.join(' '), flags, context));
    });
}
