/** `tauflow cache`: the completions that `run --response-cache` keeps on this machine. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ClearFlags } from './clear.ts';

export function addCacheCommand(program: Command, context: CliContext): void {
  const cache = program
    .command('cache')
    .description('completions that runs with --response-cache have kept: where they are, how many, of which models')
    .option('--json', 'print one JSON document')
    .action(async (flags: { readonly json?: boolean }) => {
      const { showCache } = await import('./show.ts');
      await showCache(flags.json === true, context);
    });
  cache
    .command('clear')
    .description('forget completions: all, or those of one model')
    .option('--model <model>', "a model's name, with or without its provider: gpt-4o, openai/gpt-4o")
    .option('--json', 'print one JSON document')
    // `--json` is the parent's as well, which takes it wherever it stands.
    .action(async (_flags: ClearFlags, command: Command) => {
      const { clearCache } = await import('./clear.ts');
      await clearCache(command.optsWithGlobals<ClearFlags>(), context);
    });
}
