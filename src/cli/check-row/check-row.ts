/** The body of `tauflow check-row`. */

import { checkRow, readFigures } from '../../results/pass-row/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { printable } from '../terminal/style.ts';
import { wholeNumber } from '../whole-number.ts';

export interface CheckRowFlags {
  readonly tasks?: string;
  readonly trials?: string;
  readonly json?: boolean;
}

const FORMAT_VERSION = 1;

/** @throws UsageError, ResultsError for a row or a flag that cannot be read */
export function checkPublishedRow(row: string, flags: CheckRowFlags, context: CliContext): ExitCode {
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
