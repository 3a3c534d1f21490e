/** Walks through the stored completions without reading any. Files that are not of the cache are left alone. */

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isScratchName } from '../../io/index.ts';
import { BIN_NAME, ENTRY_NAME, REMAINS_NAME, shelfOf, type Shelf } from './places.ts';
import { isSystemError } from './system-error.ts';

export interface StoredFile {
  readonly path: string;
  /** Bytes on the disk: see {@link bytesOnDisk}. */
  readonly bytes: number;
  /** When the completion was last stored or found, in ms since 1970. */
  readonly usedAt: number;
  /** False for what a writer that died has left behind. */
  readonly isEntry: boolean;
}

/** The files of one folder of a shelf. */
export interface StoredBin {
  readonly shelf: Shelf;
  readonly path: string;
  readonly files: readonly StoredFile[];
}

/** Bytes of a block: what the smallest file takes up on most file systems. */
const BLOCK_BYTES = 4096;

/** What a file takes up: whole blocks. Most completions are smaller than one. */
export function bytesOnDisk(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Bin by bin, so that no more than one is in memory. Files and folders that vanish meanwhile are passed over.
 * @param isWanted picks shelves
 * @throws the system's error for a folder that cannot be read
 */
export async function* scanBins(
  folder: string,
  isWanted: (shelf: Shelf) => boolean = () => true,
): AsyncGenerator<StoredBin> {
  for (const name of await namesIn(folder)) {
    const shelf = shelfOf(name);
    if (shelf === null || !isWanted(shelf)) continue;
    for (const bin of await namesIn(join(folder, name))) {
      if (!BIN_NAME.test(bin)) continue;
      const path = join(folder, name, bin);
      yield { shelf, path, files: await filesIn(path) };
    }
  }
}

async function filesIn(folder: string): Promise<StoredFile[]> {
  const files = await Promise.all(
    (await namesIn(folder)).map(async (name): Promise<StoredFile | null> => {
      const isEntry = ENTRY_NAME.test(name);
      if (!isEntry && !REMAINS_NAME.test(name) && !isScratchName(name)) return null;
      const path = join(folder, name);
      const stats = await lstat(path).catch(nullWhereNothingIs);
      if (stats === null || !stats.isFile()) return null;
      return { path, bytes: bytesOnDisk(stats.size), usedAt: stats.mtimeMs, isEntry };
    }),
  );
  return files.filter((file) => file !== null);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullWhereNothingIs)) ?? [];
}

function nullWhereNothingIs(error: unknown): null {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}
