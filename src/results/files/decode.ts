/** The text of a results file as people keep it: compressed, or as a shell on Windows has written it. */

import { gunzipSync } from 'node:zlib';
import { decodeText } from '../../io/index.ts';
import { ResultsError, ResultsProblem } from '../../run-log/index.ts';

/** A text in memory cannot be much longer. */
const MAX_BYTES = 512 * 1024 * 1024;

/** First bytes of zip, bzip2, zstd and xz. */
const OTHERWISE_COMPRESSED = /^(?:PK|BZh|\x28\xb5\x2f\xfd|\xfd7zXZ)/;

/**
 * Reads UTF-8, UTF-16, and either of them compressed by gzip; a byte order mark is no part of the text.
 * @param file names the bytes in error messages
 * @throws ResultsError (`unreadable`) for what is compressed otherwise, damaged or too large
 */
export function decodeResults(bytes: Buffer, file: string): string {
  if (OTHERWISE_COMPRESSED.test(bytes.toString('latin1', 0, 6))) {
    throw unreadable(file, 'it is compressed in another way than gzip; unpack it first');
  }
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked ? unpacked(bytes, file) : bytes;
  if (plain.length > MAX_BYTES) throw unreadable(file, 'it is larger than 512 MiB');
  return decodeText(plain);
}

function unpacked(bytes: Buffer, file: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw unreadable(
      file,
      isTooLarge ? 'it is larger than 512 MiB' : 'it is compressed by gzip and cut short or damaged',
    );
  }
}

function unreadable(file: string, why: string): ResultsError {
  return new ResultsError(ResultsProblem.Unreadable, `the results file ${file} cannot be read: ${why}`);
}
