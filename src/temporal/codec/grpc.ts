/** The gRPC status codes that this project tells apart. */

import { isGrpcServiceError } from '@temporalio/client';

/** https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
export const grpc = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  UNAUTHENTICATED: 16,
} as const;

/** An error's status code; null when no server has answered with it. */
export function grpcStatus(error: unknown): number | null {
  return isGrpcServiceError(error) ? Number(error.code) : null;
}
