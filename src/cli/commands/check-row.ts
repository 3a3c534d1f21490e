/** `tauflow check-row`: checks that a published row of pass^k is arithmetically possible. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import { checkRow, readFigures } from '../../results/pass-row/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { printable } from '../terminal/style.ts';
import { wholeNumber } from '../flag-values.ts';

export function defineCheckRowCommand(command: Command, context: CliContext): void {
  command
    .argument('<figures...>', "pass^1, pass^2, … as published, as shares or percent; or a leaderboard's Markdown row")
    .option('--tasks <n>', 'tasks that the row is over')
    .option('--trials <n>', 'trials per task, the same for all (default: not known)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExits with 0 for a row that is possible, and with 1 for one that is not.')
    .action((figures: string[], flags: CheckRowFlags) => {
      context.end(checkPublishedRow(figures.join(' '), flags, context));
    });
}

export interface CheckRowFlags {
  readonly tasks?: string;
  readonly trials?: string;
  readonly json?: boolean;
}

const FORMAT_VERSION = 1;

/** @throws UsageError, ResultsError for a row or a flag that cannot be read */
function checkPublishedRow(row: string, flags: CheckRowFlags, context: CliContext): ExitCode {
  const figures = readFigures(row);
  const size = {
    tasks: flags.tasks === undefined ? null : wholeNumber('--tasks', flags.tasks, 1, 1_000_000),
    trials: flags.trials === undefined ? null : wholeNumber('--trials', flags.trials, 1, 100),
  };
  if (size.trials !== null && size.trials < figures.length) {
    throw new UsageError(
      `--trials is ${String(size.trials)}, but pass^${String(figures.length)} needs ${String(figures.length)}; ` +
        'leave it out when the number is not known.',
    );
  }
  const verdict = checkRow(figures, size);
  if (flags.json === true) {
    const read = figures.map(({ k, text, value }) => ({ k, text, value }));
    printJson(snakeKeys({ formatVersion: FORMAT_VERSION, ...size, figures: read, ...verdict }), context);
  } else {
    context.out(printable(verdict.sentence));
  }
  return verdict.possible ? ExitCode.Done : ExitCode.Failed;
}
