/** Turns any error into one sentence and an exit code. A stack trace is shown with `--debug` only. */

import { CommanderError } from 'commander';
import { PackError } from '../packs/problem.ts';
import { ResultsError } from '../results/errors.ts';
import { isUsageError, ServerError } from '../temporal/errors.ts';

export const ExitCode = {
  Done: 0,
  /** The work was done but failed a threshold, or some episodes ended in an infrastructure error. */
  Failed: 1,
  /** Bad usage or bad input. */
  Usage: 2,
  /** A server, worker or provider could not be reached. */
  Unreachable: 3,
  /** Interrupted, and resumable. */
  Interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** What the person who typed the command can put right. The message is one sentence: what, where, what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A server, worker or provider that could not be reached. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UnreachableError) return ExitCode.Unreachable;
  if (error instanceof ServerError) return isUsageError(error) ? ExitCode.Usage : ExitCode.Unreachable;
  if (error instanceof UsageError || error instanceof PackError || error instanceof ResultsError) return ExitCode.Usage;
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  return ExitCode.Failed;
}

/** What a person is told about an error. */
export function describeFailure(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return error.stack ?? error.message;
  const message = error instanceof Error ? error.message : String(error);
  const known = exitCodeOf(error) !== ExitCode.Failed;
  return known ? `error: ${message}` : `error: ${message} (this is unexpected; --debug shows where it arose)`;
}
