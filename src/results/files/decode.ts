/** Decodes results files that are compressed or in UTF-16. */

import { gunzipSync } from 'node:zlib';
import { decodeText } from '../../io/index.ts';
import { ResultsError, ResultsProblem } from '../../run-log/index.ts';

/** Largest file in bytes, near the longest text that Node can hold. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Matches the first bytes of zip, bzip2, zstd and xz files. */
const OTHERWISE_COMPRESSED = /^(?:PK|BZh|\x28\xb5\x2f\xfd|\xfd7zXZ)/;

/**
 * Decodes UTF-8 or UTF-16, plain or compressed by gzip, and drops a byte order mark.
 * @throws ResultsError (`unreadable`) for another compression, damaged or too large files
 */
export function decodeResults(bytes: Buffer, file: string): string {
  if (OTHERWISE_COMPRESSED.test(bytes.toString('latin1', 0, 6))) {
    throw unreadableFile(file, 'it is compressed in another way than gzip; unpack it first');
  }
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked ? unpackFile(bytes, file) : bytes;
  if (plain.length > MAX_BYTES) throw unreadableFile(file, 'it is larger than 512 MiB');
  return decodeText(plain);
}

function unpackFile(bytes: Buffer, file: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw unreadableFile(file, 'it is larger than 512 MiB');
    throw unreadableFile(file, 'it is compressed by gzip and cut short or damaged');
  }
}

function unreadableFile(file: string, why: string): ResultsError {
  return new ResultsError(ResultsProblem.Unreadable, `the results file ${file} cannot be read: ${why}`);
}
