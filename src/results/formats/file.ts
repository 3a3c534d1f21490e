/** Files for readers: detects their kind by the first bytes, and streams their content. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ResultsError, ResultsProblem, describeSystemError } from '../../run-log/index.ts';
import { systemErrorCode } from '../../errors/index.ts';
import { damagedFileError, listFirstNames } from './json-parts.ts';

export interface ProbedFile {
  readonly path: string;
  readonly kind: 'zip' | 'object' | 'list' | 'other';
  /** The first bytes, unpacked. */
  readonly head: string;
  /** Names of the JSON object's members that are within the first bytes; for an archive, of its first entry. */
  readonly names: readonly string[];
}

const HEAD_BYTES = 64 * 1024;
/** Largest unpacked content of an archive or a compressed file, in bytes. */
export const MAX_UNPACKED_BYTES = 16 * 1024 ** 3;

/** @throws ResultsError for a file that cannot be read */
export async function probeFile(path: string): Promise<ProbedFile> {
  const start = await readStart(path);
  if (start.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    const name = start.subarray(30, 30 + (start.at(26) ?? 0)).toString('utf8');
    return { path, kind: 'zip', head: '', names: [name] };
  }
  const head = isGzip(start) ? await unpackStart(path) : start;
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  const first = /^\s*([[{])/.exec(text)?.[1];
  if (first === undefined) return { path, kind: 'other', head: text, names: [] };
  const isObject = first === '{';
  return { path, kind: isObject ? 'object' : 'list', head: text, names: isObject ? listFirstNames(head, path) : [] };
}

async function readStart(path: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toUnreadable(path, error);
  }
}

function isGzip(start: Buffer): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

async function unpackStart(path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of openContent(path)) {
    pieces.push(piece);
    size += piece.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces);
}

/** Yields the file's content, unpacked if it is compressed by gzip. @throws ResultsError while reading */
export async function* openContent(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const start = await readStart(path);
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const content = isGzip(start) ? file.on('error', (error) => content.destroy(error)).pipe(createGunzip()) : file;
  let size = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (content !== file && size > MAX_UNPACKED_BYTES) throw damagedFileError(path, 'it unpacks to more than 16 GiB');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ResultsError) throw error;
    throw content === file
      ? toUnreadable(path, error)
      : damagedFileError(path, 'it is compressed by gzip and cut short or damaged');
  } finally {
    file.destroy();
  }
}

function toUnreadable(path: string, error: unknown): unknown {
  if (systemErrorCode(error) === null) return error;
  const sentence = `the results file ${path} cannot be read: ${describeSystemError(error)}`;
  return new ResultsError(ResultsProblem.Unreadable, sentence, { cause: error });
}
