/**
 * Reads the lines appended to JSON Lines files since the last read. Writers begin each line with a line end, so that a
 * line cut short by a full disk or a killed writer damages no other line.
 */

import { open, type FileHandle } from 'node:fs/promises';
import { instead } from '../errors/index.ts';

export interface AppendedLines<T> {
  readonly lines: readonly T[];
  /** Offset for the next read. */
  readonly next: number;
  /** True if the file was replaced or truncated; then these are all of its lines. */
  readonly isAnew: boolean;
}

/** Bytes per read; valid lines are shorter. */
const MAX_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/**
 * @param from `next` of the last read; 0 for the beginning
 * @param parse returns undefined for another or incomplete line
 * @returns nothing without a file
 */
export async function readAppended<T>(
  file: string,
  from: number,
  parse: (line: string) => T | undefined,
): Promise<AppendedLines<T>> {
  const handle = await open(file, 'r').catch(instead(null));
  if (handle === null) return { lines: [], next: 0, isAnew: from > 0 };
  try {
    return await readFrom(handle, from, parse);
  } finally {
    await handle.close();
  }
}

async function readFrom<T>(
  handle: FileHandle,
  from: number,
  parse: (line: string) => T | undefined,
): Promise<AppendedLines<T>> {
  const { size } = await handle.stat();
  const lines: T[] = [];
  // A line ends here unless the file was written anew.
  const isSame = from <= size && (from === 0 || from === size || (await byteAt(handle, from)) === LINE_END);
  let next = isSame ? from : 0;
  while (next < size) {
    const buffer = await readBytes(handle, next, Math.min(MAX_BYTES, size - next));
    // The file has become shorter meanwhile.
    if (buffer.length === 0) break;
    const isLast = next + buffer.length >= size;
    // Bytes after the last line's end may be half of a line.
    const end = buffer.lastIndexOf(LINE_END);
    const last = isLast ? parse(buffer.toString('utf8', end + 1)) : undefined;
    for (const text of buffer.toString('utf8', 0, Math.max(0, end)).split('\n')) {
      const line = text === '' ? undefined : parse(text);
      if (line !== undefined) lines.push(line);
    }
    if (last !== undefined) lines.push(last);
    if (last !== undefined || (!isLast && end <= 0)) next += buffer.length;
    else next += Math.max(0, end);
    if (isLast) break;
  }
  return { lines, next, isAnew: !isSame };
}

async function byteAt(handle: FileHandle, position: number): Promise<number | undefined> {
  return (await readBytes(handle, position, 1))[0];
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
