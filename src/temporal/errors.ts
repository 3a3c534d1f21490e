/** The error class for problems with the Temporal server that a user or a command can solve. */

import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { ExitCode, TauflowError } from '../errors/index.ts';

type ServerErrorKind =
  /** The machine has no Temporal CLI, and downloading or building it failed. */
  | 'binary-missing'
  /** `TEMPORAL_CLI_PATH` does not name a usable Temporal CLI. */
  | 'binary-unusable'
  /** A requested port is taken. */
  | 'port-taken'
  /** Another server has the database file open. */
  | 'database-in-use'
  /** A server runs in this folder already. */
  | 'already-running'
  /** The server ended, or was not ready in time. */
  | 'start-failed'
  /** The server still runs after it was stopped. */
  | 'stop-failed'
  /** The state folder cannot be written. */
  | 'state-unwritable'
  /** No server answers at the address. */
  | 'unreachable'
  /** The server refuses the key or certificate. */
  | 'not-authorised'
  /** The server has no such namespace. */
  | 'namespace-missing'
  /** Temporal's environment configuration cannot be read, or names an unknown profile. */
  | 'bad-configuration'
  /** Payloads of a workflow are encrypted with a key that this process does not have. */
  | 'encryption-key'
  /** A schedule of that name exists already. */
  | 'schedule-exists'
  /** No schedule has that name. */
  | 'schedule-missing'
  /** The server does not accept a schedule's times, or does not start its run. */
  | 'schedule-refused';

/**
 * Error of a Temporal server. The message is one sentence: what happened, where, and what to do. It never contains a
 * key.
 */
export class ServerError extends TauflowError {
  override readonly name = 'ServerError';

  constructor(
    readonly kind: ServerErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get exitCode(): ExitCode {
    return isUsageError(this) ? ExitCode.Usage : ExitCode.Unreachable;
  }
}

/** True if another command line can correct the error, so that it is bad usage, not an unavailable server. */
function isUsageError(error: ServerError): boolean {
  switch (error.kind) {
    case 'binary-unusable':
    case 'port-taken':
    case 'database-in-use':
    case 'already-running':
    case 'state-unwritable':
    case 'namespace-missing':
    case 'bad-configuration':
    case 'encryption-key':
    case 'schedule-exists':
    case 'schedule-missing':
    case 'schedule-refused':
      return true;
    case 'binary-missing':
    case 'start-failed':
    case 'stop-failed':
    case 'unreachable':
    case 'not-authorised':
      return false;
  }
}

/** True if no server runs or answers. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ServerError && error.kind === 'unreachable';
}

/** Status codes of gRPC: https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
export const grpc = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  UNAUTHENTICATED: 16,
} as const;

/** Returns an error's gRPC status code; null if no server has answered with one. */
export function grpcStatus(error: unknown): number | null {
  return isGrpcServiceError(error) ? Number(error.code) : null;
}

/** Creates a rejection handler that returns a value for one status and throws any other error. */
export function onStatus<T>(status: number, value: T): (error: unknown) => T {
  return (error) => {
    if (grpcStatus(error) === status) return value;
    throw error;
  };
}

/** True if the error says that the server does not know the workflow, or no longer knows it. */
export function isGone(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || grpcStatus(error) === grpc.NOT_FOUND;
}
