/** `tauflow run`. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addRunFlags, allowOwnFlags, readRunFlags, type RunFlags } from './flags.ts';

export function defineRunCommand(run: Command, context: CliContext): void {
  addRunFlags(run);
  allowOwnFlags(run);
  run.action(async () => {
    const flags = readRunFlags(run);
    // The worker's thread loads the SDK while this one loads the rest of the command and checks the request.
    if (mayWork(flags)) (await import('../../temporal/worker/threads.ts')).startThreadAhead();
    const { runSweep } = await import('./run-sweep.ts');
    context.end(await runSweep(flags, context));
  });
}

/** True if nothing on the command line keeps a worker from this process. */
function mayWork({ options: { worker, detach, dryRun } }: RunFlags): boolean {
  return worker !== false && detach !== true && dryRun !== true;
}
