import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addRunFlags, allowOwnFlags, readRunFlags } from '../options/flags.ts';

export function defineRunCommand(run: Command, context: CliContext): void {
  addRunFlags(run);
  allowOwnFlags(run);
  run.action(async () => {
    const flags = readRunFlags(run);
    const { runSweep } = await import('./run-sweep.ts');
    context.end(await runSweep(flags, context));
  });
}
