/** Turns any error into one sentence and an exit code. A stack trace is shown with `--debug` only. */

import { CommanderError } from 'commander';
import { ExitCode, firstLine, TauflowError } from '../errors/index.ts';

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof TauflowError) return error.exitCode;
  if (isConnectionLost(error)) return ExitCode.Unreachable;
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  return ExitCode.Failed;
}

/** Returns the text of an error for people. */
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
