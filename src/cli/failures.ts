/** Turns any error into one sentence and an exit code. A stack trace is shown with `--debug` only. */

import { CommanderError } from 'commander';
import { AgentFileError } from '../own-agents/problem.ts';
import { PackError } from '../packs/problem.ts';
import { ResultsError } from '../results/errors.ts';
import { firstLine, isUsageError, ServerError } from '../temporal/errors.ts';

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
  if (error instanceof UnreachableError || isConnectionLost(error)) return ExitCode.Unreachable;
  if (error instanceof ServerError) return isUsageError(error) ? ExitCode.Usage : ExitCode.Unreachable;
  if (error instanceof UsageError || error instanceof PackError || error instanceof ResultsError) return ExitCode.Usage;
  if (error instanceof AgentFileError) return ExitCode.Usage;
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  return ExitCode.Failed;
}

/** What a person is told about an error. */
export function describeFailure(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return `error: ${error.stack ?? error.message}`;
  const known = exitCodeOf(error) !== ExitCode.Failed;
  return known
    ? `error: ${firstLine(error)}`
    : `error: ${firstLine(error)} (this is unexpected; --debug shows where it arose)`;
}

/** gRPC's numbers for a server that is gone, or does not answer in time. */
const LOST = new Set([14, 4]);

/** The Temporal SDK's errors for a server that went away; told by name and code, because to import it takes long. */
export function isConnectionLost(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === 'TransportError') return true;
    if ('code' in cause && typeof cause.code === 'number' && LOST.has(cause.code)) return true;
  }
  return false;
}
