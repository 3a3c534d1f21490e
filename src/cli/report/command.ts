/** `tauflow report RUN|FILE…`: tables, figures and exports of run logs, or of any tau-bench results files. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ReportFlags, ReportFormat } from './read.ts';

const FORMATS = ['table', 'json', 'markdown', 'csv', 'junit', 'html'] as const satisfies readonly ReportFormat[];

const HELP = `
Formats:
  table     tables for the terminal: tasks, scores with confidence intervals, faults, costs
  markdown  the same for an issue or a wiki
  json      all data, for programs
  csv       one row per episode, for spreadsheets and data frames
  junit     one test case per episode, for CI
  html      one page with every conversation, for a browser without a network
Several runs are reported one after the other, then compared.`;

export function addReportCommand(program: Command, context: CliContext): void {
  program
    .command('report')
    .description('show the results of runs, or of any tau-bench results files')
    .argument('<run|file...>', 'run ids, folders of runs, or paths of results files')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .addOption(new Option('--format <format>', 'format of the report').choices(FORMATS).default('table'))
    .option('--json', 'short for --format json')
    .option('--output <file>', 'write to a file; - is stdout (default: stdout; html: <log-dir>/<run>.html)')
    .option('--env <env>', 'domain of a results file, to analyze why its episodes failed')
    .option('--task-split <split>', 'split of its tasks (default: test)')
    .option('--pack <folder|name>', "domain pack (default: a run's own; the one with the file's tasks)")
    .option('--temporal-ui <url>', "address for links of the HTML page (default: the UI of the run's server)")
    .option('--as-trials', 'read several results files as trials of one run, in their order')
    .option('--fail-under <share>', 'exit with 1 if the average reward is lower (0 to 1)')
    .addHelpText('after', HELP)
    .action(async (subjects: string[], flags: ReportFlags) => {
      const { showReports } = await import('./show.ts');
      context.end(await showReports(subjects, flags, context));
    });
}
