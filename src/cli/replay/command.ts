/** `tauflow replay`: what the environment answers to actions, and the state they leave. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ReplayFlags } from './replay.ts';

export function addReplayCommand(program: Command, context: CliContext): void {
  program
    .command('replay')
    .description(
      'apply actions to fresh data and print the observations: one JSON line {"steps": [{"name", "kwargs"}, …]} in, ' +
        'one out; or replay the ground truth of tasks',
    )
    .option('--env <env>', 'domain', 'retail')
    .option('--pack <folder|name>', "domain pack (default: the env's shipped pack)")
    .option('--task-split <split>', 'replay the ground truth of this split instead of reading lines')
    .option('--task-ids <ids...>', 'of these tasks only, as 1 2 3 or 1,2,3 (default split: test)')
    .option('--no-hash', 'leave the data hash out, which takes most of the time')
    .action(async (flags: ReplayFlags) => {
      const { replaySequences } = await import('./replay.ts');
      context.end(await replaySequences(flags, context));
    });
}
