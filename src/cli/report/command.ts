/** `tauflow report RUN|FILE`: the table and figures of a run log, or of any tau-bench results file. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ReportFlags } from './show.ts';

export function addReportCommand(program: Command, context: CliContext): void {
  program
    .command('report')
    .description('show the results of a run, or of any tau-bench results file')
    .argument('<run|file>', 'a run id, or the path of a results file')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .addOption(
      new Option('--format <format>', 'form of the report').choices(['table', 'json', 'markdown']).default('table'),
    )
    .option('--json', 'short for --format json')
    .option('--fail-under <share>', 'exit with 1 when the average reward is lower')
    .action(async (subject: string, flags: ReportFlags) => {
      const { showReport } = await import('./show.ts');
      context.end(await showReport(subject, flags, context));
    });
}
