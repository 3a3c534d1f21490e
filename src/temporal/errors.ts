/** The error class for problems with the Temporal server that a person or a command can solve. */

import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { ExitCode, TauflowError } from '../errors/index.ts';

type ServerErrorKind =
  /** There is no Temporal CLI, and it could not be downloaded or built. */
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
  /** The server did not end when it was stopped. */
  | 'stop-failed'
  /** The state folder cannot be written. */
  | 'state-unwritable'
  /** Nothing answers at the address. */
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

/** The message is one sentence: what happened, where, and what to do. It never contains a key. */
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

/** True if another command line can correct it, so that it is bad usage rather than an unavailable server. */
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

/** Returns an error's status code; null if no server has answered with it. */
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

/** True if the server does not know the workflow (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || grpcStatus(error) === grpc.NOT_FOUND;
}
