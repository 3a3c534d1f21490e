/** Places files in a copy as links to cached contents, many at a time. */

import { copyFile, link } from 'node:fs/promises';
import { systemErrorCode } from '../../errors/index.ts';

/** Most simultaneous downloads. */
const CONCURRENCY = 16;

export async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Links a file under a second name, or copies it if the file system has no links. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (systemErrorCode(error) === 'EEXIST') throw error;
    await copyFile(from, to);
  });
}
