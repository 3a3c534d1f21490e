/** Addresses of the form `s3://bucket/prefix`. */

import { UsageError } from '../../errors/index.ts';

export interface S3Address {
  readonly bucket: string;
  /** Prefix of keys: empty, or ends with a slash. */
  readonly prefix: string;
}

/** Matches bucket names that S3 allows, and that older buckets and compatible stores allow. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;

/**
 * Parses an address. @returns null for a text that does not begin with `s3://`
 * @throws UsageError for an address without a bucket, or with a prefix that is invalid as a folder
 */
export function parseS3Address(text: string): S3Address | null {
  if (!/^s3:\/\//i.test(text)) return null;
  const [bucket = '', ...parts] = text.slice('s3://'.length).split('/');
  if (!BUCKET.test(bucket)) throw new UsageError(`${text} names no bucket; write s3://bucket/prefix.`);
  if (parts.at(-1) === '') parts.pop();
  if (parts.length === 0) return { bucket, prefix: '' };
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain) {
    throw new UsageError(`the prefix in ${text} has an empty part, \`.\` or \`..\`; write s3://bucket/prefix.`);
  }
  return { bucket, prefix: `${parts.join('/')}/` };
}
