/** Converts errors of the S3 client to sentences with advice. */

import { UnreachableError, UsageError, firstLine } from '../../errors/index.ts';

/** The bucket, and the server's address unless it is Amazon's. */
export interface StorePlace {
  readonly bucket: string;
  readonly endpoint: string | undefined;
}

interface StoreRefusal {
  /** Code of the store, such as `NoSuchBucket`. */
  readonly name: string;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
}

/** @returns null for an error that does not come from the store or its client */
function toRefusal(error: unknown): StoreRefusal | null {
  if (!(error instanceof Error)) return null;
  const metadata = '$metadata' in error ? (error.$metadata as { httpStatusCode?: number } | undefined) : undefined;
  return { name: error.name, status: metadata?.httpStatusCode ?? null };
}

export function isAbsent(error: unknown): boolean {
  const refusal = toRefusal(error);
  return refusal?.status === 404 && refusal.name !== 'NoSuchBucket';
}

/**
 * @returns true if a conditional write was not made because the object has changed, was deleted, or is being written by
 *   another client
 */
export function isConditionFailed(error: unknown): boolean {
  return [409, 412].includes(toRefusal(error)?.status ?? 0) || isAbsent(error);
}

/**
 * @returns true if a multipart upload no longer exists: it was canceled, or completed by a request whose answer was
 * lost
 */
export function isUploadGone(error: unknown): boolean {
  return toRefusal(error)?.name === 'NoSuchUpload';
}

/** Converts an error to one that the user can act on; returns any other error unchanged. */
export function toStoreError(error: unknown, { bucket, endpoint }: StorePlace): unknown {
  const refusal = toRefusal(error);
  if (refusal === null || error instanceof UsageError) return error;
  const where = endpoint === undefined ? 'S3' : endpoint;
  const { name, status } = refusal;
  const options = { cause: error };
  if (name === 'NoSuchBucket') {
    return new UsageError(`there is no bucket ${bucket} at ${where}; create it, or correct the address.`, options);
  }
  if (name === 'CredentialsProviderError') {
    return new UsageError(
      'no credentials for S3 are found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.',
      options,
    );
  }
  if (firstLine(error) === 'Region is missing') {
    return new UsageError('the region of the bucket is not known; set AWS_REGION.', options);
  }
  if (status === 401 || status === 403) {
    return new UsageError(
      `${where} denies access to bucket ${bucket} (${name}); check the credentials and their permissions.`,
      options,
    );
  }
  if (status === 501 || status === 405 || name === 'NotImplemented') {
    return new UsageError(
      `${where} does not know a request that Tauflow makes of bucket ${bucket} (${name}: ${firstLine(error)}); ` +
        'a run log needs writes under a condition (If-Match, If-None-Match): name a store, or a version of it, that has them.',
      options,
    );
  }
  if (isAway(error, status)) {
    return new UnreachableError(
      `${where} could not be reached (${status === null ? networkReason(error) : `${name}, HTTP ${status}`}); ` +
        'check AWS_ENDPOINT_URL_S3 and the network, then try again.',
      options,
    );
  }
  if (status === null) return error;
  return new UsageError(`${where} refuses a request on bucket ${bucket}: ${name}: ${firstLine(error)}`, options);
}

function isAway(error: unknown, status: number | null): boolean {
  if (status !== null) return status >= 500 || status === 429;
  return networkCode(error) !== null || (error instanceof Error && error.name === 'TimeoutError');
}

function networkReason(error: unknown): string {
  return networkCode(error) ?? firstLine(error);
}

const NETWORK =
  /^(?:E(?:CONN|HOST|NET|AI_|PIPE|TIMEDOUT|NOTFOUND|PROTO)|CERT_|DEPTH_|UNABLE_|SELF_SIGNED|ERR_TLS|ERR_SSL)/;

function networkCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return NETWORK.test(error.code) ? error.code : null;
}
