/** Takes stored completions away again: all, those of a configuration or a model, or the longest unused. */

import { rmdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Shelf } from './places.ts';
import { scanBins, type StoredFile } from './scan.ts';
import { isSystemError } from './system-error.ts';

export interface Removed {
  /** Completions; what dead writers had left is not counted. */
  readonly entries: number;
  /** Bytes on the disk, of both. */
  readonly bytes: number;
}

const NOTHING: Removed = { entries: 0, bytes: 0 };

/**
 * Forgets the completions of the shelves that are wanted. Others may read and write meanwhile: what they store after
 * this has passed stays.
 * @throws the system's error for what cannot be removed
 */
export async function removeShelves(folder: string, isWanted: (shelf: Shelf) => boolean): Promise<Removed> {
  let removed = NOTHING;
  for await (const { path, files } of scanBins(folder, isWanted)) {
    removed = add(removed, await removeFiles(files));
    await removeEmpty([path]);
  }
  return removed;
}

/** Remains of a writer are older than this when it has died, in ms. */
const REMAINS_AGE_MS = 3_600_000;

/**
 * Removes the longest unused completions until the rest takes up no more than `keepBytes`, once all together take up
 * more than `maxBytes`; and what dead writers have left.
 * @throws the system's error for what cannot be read or removed
 */
export async function evict(folder: string, maxBytes: number, keepBytes: number): Promise<Removed> {
  const entries: StoredFile[] = [];
  let bytes = 0;
  let removed = NOTHING;
  for await (const { files } of scanBins(folder)) {
    const remains = files.filter((file) => !file.isEntry && file.usedAt < Date.now() - REMAINS_AGE_MS);
    removed = add(removed, await removeFiles(remains));
    for (const file of files.filter(({ isEntry }) => isEntry)) {
      entries.push(file);
      bytes += file.bytes;
    }
  }
  if (bytes <= maxBytes) return removed;
  entries.sort((a, b) => a.usedAt - b.usedAt);
  const unused: StoredFile[] = [];
  for (const file of entries) {
    if (bytes <= keepBytes) break;
    bytes -= file.bytes;
    unused.push(file);
  }
  removed = add(removed, await removeFiles(unused));
  await removeEmpty(unused.map(({ path }) => dirname(path)));
  return removed;
}

async function removeFiles(files: readonly StoredFile[]): Promise<Removed> {
  let removed = NOTHING;
  for (const { path, bytes, isEntry } of files) {
    if (await vanishes(unlink(path))) removed = add(removed, { entries: isEntry ? 1 : 0, bytes });
  }
  return removed;
}

/** Bins, and their shelves; one that something is in stays: it may be another process's newest completion. */
async function removeEmpty(bins: readonly string[]): Promise<void> {
  for (const folder of [...new Set(bins), ...new Set(bins.map((bin) => dirname(bin)))]) {
    await rmdir(folder).catch((error: unknown) => {
      if (!isSystemError(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  }
}

/** @returns false where it was gone already */
async function vanishes(removal: Promise<void>): Promise<boolean> {
  try {
    await removal;
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

function add(a: Removed, b: Removed): Removed {
  return { entries: a.entries + b.entries, bytes: a.bytes + b.bytes };
}
