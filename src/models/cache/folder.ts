/**
 * Files of the response cache: `<folder>/<shelf>/<first two digits of the key>/<key>.json`. A shelf holds the completions of
 * one model in one configuration. Its name says both, so that completions are counted and removed without being read.
 */

import { dirname, join } from 'node:path';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { isScratchName } from '../../io/index.ts';
import { instead } from '../../errors/index.ts';

export interface Shelf {
  /** Digest by {@link configurationDigest}. */
  readonly configuration: string;
  readonly provider: string;
  readonly model: string;
}

/** Most file systems allow 255 characters in a name; a shelf's name has a digest and two names. */
const MAX_NAME_CHARS = 110;

const SHELF_NAME = /^([0-9a-f]{16})\.([^.]+)\.(.+)$/;

/** Returns the name of a shelf's folder: `0123456789abcdef.openai.gpt-4o`. A very long name loses its end. */
export function shelfName({ configuration, provider, model }: Shelf): string {
  // The digest comes with a task's input, and must not lead out of the cache's folder.
  return `${fileName(configuration).replaceAll('.', '%2E')}.${fileName(provider).replaceAll('.', '%2E')}.${fileName(model)}`;
}

/** Parses a shelf's name; null for any other folder. */
export function parseShelf(name: string): Shelf | null {
  const [, configuration, provider, model] = SHELF_NAME.exec(name) ?? [];
  if (configuration === undefined || provider === undefined || model === undefined) return null;
  return { configuration, provider: decodeName(provider), model: decodeName(model) };
}

/** Returns the name of an entry's folder within its shelf's folder. */
function binName(key: string): string {
  return key.slice(0, 2);
}

const BIN_NAME = /^[0-9a-f]{2}$/;
const ENTRY_NAME = /^[0-9a-f]{64}\.json$/;

export function entryPath(folder: string, shelf: Shelf, key: string): string {
  return join(folder, shelfName(shelf), binName(key), `${key}.json`);
}

/** Encodes any text as part of a file name that is valid on every system; {@link decodeName} is the inverse. */
function fileName(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('*', '%2A');
  return encoded.slice(0, MAX_NAME_CHARS).replace(/\.$/, '%2E');
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // The name was cut within a character.
    return name;
  }
}

interface StoredFile {
  readonly path: string;
  /** Bytes on the disk: see {@link bytesOnDisk}. */
  readonly bytes: number;
  /** Time at which the completion was last stored or used, in ms since 1970. */
  readonly usedAt: number;
  /** False for a leftover of a writer that died. */
  readonly isEntry: boolean;
}

interface StoredBin {
  readonly shelf: Shelf;
  readonly path: string;
  readonly files: readonly StoredFile[];
}

/** Bytes of a block, the smallest disk space of a file on most file systems. */
const BLOCK_BYTES = 4096;

/** Returns the disk space of a file in whole blocks. Most completions need less than one. */
export function bytesOnDisk(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Yields one bin at a time, to bound memory. Skips files and folders that vanish meanwhile.
 * @param isWanted picks shelves
 * @throws the system's error for an unreadable folder
 */
async function* scanBins(folder: string, isWanted: (shelf: Shelf) => boolean = () => true): AsyncGenerator<StoredBin> {
  for (const name of await namesIn(folder)) {
    const shelf = parseShelf(name);
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
      if (!isEntry && !isScratchName(name)) return null;
      const path = join(folder, name);
      const stats = await lstat(path).catch(instead(null, ...GONE));
      if (stats === null || !stats.isFile()) return null;
      return { path, bytes: bytesOnDisk(stats.size), usedAt: stats.mtimeMs, isEntry };
    }),
  );
  return files.filter((file) => file !== null);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(instead([], ...GONE));
}

/** Error codes of a missing file. */
export const GONE: readonly string[] = ['ENOENT', 'ENOTDIR'];

export interface ModelContents {
  readonly provider: string;
  readonly model: string;
  readonly entries: number;
  /** Bytes on the disk. */
  readonly bytes: number;
  /** Time at which one of the model's completions was last stored or found, in ms since 1970. */
  readonly usedAt: number;
}

/**
 * Lists one row per model, over all configurations, the largest first. Models without completions have no row.
 * @throws the system's error for a folder that cannot be read
 */
export async function listContents(folder: string): Promise<ModelContents[]> {
  const models = new Map<string, ModelContents>();
  for await (const { shelf, files } of scanBins(folder)) {
    const { provider, model } = shelf;
    const name = JSON.stringify([provider, model]);
    for (const { isEntry, bytes, usedAt } of files) {
      if (!isEntry) continue;
      const before = models.get(name) ?? { provider, model, entries: 0, bytes: 0, usedAt: 0 };
      models.set(name, {
        ...before,
        entries: before.entries + 1,
        bytes: before.bytes + bytes,
        usedAt: Math.max(before.usedAt, usedAt),
      });
    }
  }
  return [...models.values()].sort((a, b) => b.bytes - a.bytes || a.model.localeCompare(b.model));
}

export interface RemovalCount {
  /** Number of completions; leftovers of dead writers do not count. */
  readonly entries: number;
  /** Bytes on the disk, of completions and leftovers. */
  readonly bytes: number;
}

const NOTHING: RemovalCount = { entries: 0, bytes: 0 };

/**
 * Removes the completions of the chosen shelves. Completions that other processes store meanwhile may stay.
 * @throws the system's error for a file that cannot be removed
 */
export async function removeShelves(folder: string, isWanted: (shelf: Shelf) => boolean): Promise<RemovalCount> {
  let removed = NOTHING;
  for await (const { path, files } of scanBins(folder, isWanted)) {
    removed = add(removed, await removeFiles(files));
    await removeEmpty([path]);
  }
  return removed;
}

/** Age in ms from which an unfinished file belongs to a dead writer. */
const REMAINS_AGE_MS = 3_600_000;

/**
 * Removes leftovers of dead writers. If the completions occupy more than `maxBytes`, it also removes the longest unused
 * ones until the rest occupies at most `keepBytes`.
 * @throws the system's error for what cannot be read or removed
 */
export async function evict(folder: string, maxBytes: number, keepBytes: number): Promise<RemovalCount> {
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

async function removeFiles(files: readonly StoredFile[]): Promise<RemovalCount> {
  let removed = NOTHING;
  for (const { path, bytes, isEntry } of files) {
    const isRemoved = await unlink(path).then(() => true, instead(false, 'ENOENT'));
    if (isRemoved) removed = add(removed, { entries: isEntry ? 1 : 0, bytes });
  }
  return removed;
}

/**
 * Removes empty bins and shelves. A folder with a file is kept, because another process may just have written the file.
 */
async function removeEmpty(bins: readonly string[]): Promise<void> {
  for (const folder of [...new Set(bins), ...new Set(bins.map((bin) => dirname(bin)))]) {
    await rmdir(folder).catch(instead(undefined, 'ENOENT', 'ENOTEMPTY', 'EEXIST'));
  }
}

function add(a: RemovalCount, b: RemovalCount): RemovalCount {
  return { entries: a.entries + b.entries, bytes: a.bytes + b.bytes };
}
