/** `tauflow compare A B …` */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { CompareFlags } from './compare.ts';

export function addCompareCommand(program: Command, context: CliContext): void {
  program
    .command('compare')
    .description('compare runs or results files task by task, with confidence intervals')
    .argument('<runs...>', 'two or more runs, the earliest first: ids, folders, or paths of results files')
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .addOption(
      new Option('--format <format>', 'form of the comparison').choices(['table', 'json', 'markdown']).default('table'),
    )
    .option('--json', 'short for --format json')
    .option('--allow-different', 'also compare runs of different packs, envs or splits; match tasks by number')
    .option('--fail-on-regression', 'exit with 1 if a later run is worse than the first')
    .action(async (runs: string[], flags: CompareFlags) => {
      const { compareSubjects } = await import('./compare.ts');
      context.end(await compareSubjects(runs, flags, context));
    });
}
