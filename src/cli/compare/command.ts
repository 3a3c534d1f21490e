/** `tauflow compare A B`: whether the later of two runs is better or worse, and how sure that is. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { CompareFlags } from './compare.ts';

export function addCompareCommand(program: Command, context: CliContext): void {
  program
    .command('compare')
    .description('compare two runs, or results files, task by task: did the later one get better or worse?')
    .argument('<a>', 'the earlier run: its id, its folder, or the path of a results file')
    .argument('<b>', 'the later one')
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .addOption(
      new Option('--format <format>', 'form of the comparison').choices(['table', 'json', 'markdown']).default('table'),
    )
    .option('--json', 'short for --format json')
    .option('--fail-on-regression', 'exit with 1 when the later run is worse')
    .action(async (a: string, b: string, flags: CompareFlags) => {
      const { compareSubjects } = await import('./compare.ts');
      context.end(await compareSubjects(a, b, flags, context));
    });
}
