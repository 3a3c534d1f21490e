/** `tauflow report RUN|FILE…`: tables, figures and exports of run logs, or of any tau-bench results files. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import { FORMATS, type ReportFlags } from './flags.ts';

const HELP = `
Formats:
  table     for the terminal: per task, aggregates with intervals, why episodes failed, costs
  markdown  the same, to be pasted into an issue or a wiki
  json      everything, for programs
  csv       a row an episode, for spreadsheets and data frames
  junit     a test case an episode, for CI
  html      one page with every conversation, to be opened in a browser; it needs no network
Several runs are told of one after the other, and then compared.`;

export function addReportCommand(program: Command, context: CliContext): void {
  program
    .command('report')
    .description('show the results of runs, or of any tau-bench results files')
    .argument('<run|file...>', 'ids of runs, their folders, or paths of results files')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .addOption(new Option('--format <format>', 'form of the report').choices(FORMATS).default('table'))
    .option('--json', 'short for --format json')
    .option('--output <file>', 'write to a file; - is stdout (default: stdout; html: <log-dir>/<run>.html)')
    .option('--env <env>', 'domain of a results file: with it, the report says why episodes failed')
    .option('--task-split <split>', 'split of its tasks (default: test)')
    .option('--pack <folder|name>', "domain pack (default: a run's own; the one with the file's tasks)")
    .option('--temporal-ui <url>', 'where the pages of html lead to (default: the UI of the server of the run)')
    .option('--as-trials', 'take several results files for the trials of one run, numbered in their order')
    .option('--fail-under <share>', 'exit with 1 when the average reward is lower')
    .addHelpText('after', HELP)
    .action(async (subjects: string[], flags: ReportFlags) => {
      const { showReports } = await import('./show.ts');
      context.end(await showReports(subjects, flags, context));
    });
}
