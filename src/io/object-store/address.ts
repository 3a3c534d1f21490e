/** Addresses of the form `s3://bucket/prefix`. */

import { UsageError } from '../../errors/index.ts';

export interface S3Address {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** Bucket names that S3 allows, and that older buckets and compatible stores allow. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;

/**
 * @returns null for what does not begin with `s3://`
 * @throws UsageError for an address without a bucket, or with a prefix that no folder can have
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
