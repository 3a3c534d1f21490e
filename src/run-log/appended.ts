/**
 * Reads what was appended to files of JSON lines since somebody looked before. Writers put the line's end in front of
 * each line, so that a line which a full disk or a killed writer has cut short spoils no other.
 */

import { open, type FileHandle } from 'node:fs/promises';
import { instead } from '../errors/index.ts';

export interface Appended<T> {
  readonly lines: readonly T[];
  /** Beginning of the next look. */
  readonly next: number;
  /** True if the file is another one than before, or has become shorter: these are all of its lines. */
  readonly isAnew: boolean;
}

/** Read at a time; a longer line is none of ours. */
const MAX_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/**
 * @param from `next` of the look before; 0: from the beginning
 * @param parse undefined for what is not a line of this kind, or only a part of one
 * @returns nothing where there is no file
 */
export async function readAppended<T>(
  file: string,
  from: number,
  parse: (line: string) => T | undefined,
): Promise<Appended<T>> {
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
): Promise<Appended<T>> {
  const { size } = await handle.stat();
  const lines: T[] = [];
  // A line's end is where it should be, unless the file was written anew.
  const isSame = from <= size && (from === 0 || from === size || (await byteAt(handle, from)) === LINE_END);
  let next = isSame ? from : 0;
  while (next < size) {
    const buffer = await readBytes(handle, next, Math.min(MAX_BYTES, size - next));
    // The file has become shorter meanwhile.
    if (buffer.length === 0) break;
    const isLast = next + buffer.length >= size;
    // What is behind the last line's end may be half of a line.
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
