/** `tauflow run`. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addRunFlags, givenFlags } from './flags.ts';

export function addRunCommand(program: Command, context: CliContext): void {
  const run = program
    .command('run')
    .description('run a sweep, or take up the one with this --run-id, and report its results');
  addRunFlags(run);
  run.action(async () => {
    const { runSweep } = await import('./run-sweep.ts');
    const { config, ...flags } = givenFlags(run);
    context.end(await runSweep(flags, typeof config === 'string' ? config : undefined, context));
  });
}
