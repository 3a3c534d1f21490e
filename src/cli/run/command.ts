/** `tauflow run`. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addRunFlags, allowOwnFlags, readRunFlags } from './flags.ts';

export function addRunCommand(program: Command, context: CliContext): void {
  const run = program
    .command('run')
    .description('run a sweep, or take up the one with this --run-id, and report its results');
  addRunFlags(run);
  allowOwnFlags(run);
  run.action(async () => {
    const { runSweep } = await import('./run-sweep.ts');
    context.end(await runSweep(readRunFlags(run), context));
  });
}
