/**
 * Copies the differing files of a log folder to an object store, or back, several at a time; deletes nothing. A run's
 * `run.json` is copied last, so that a reader of the target finds the records of every run that it sees.
 *
 * Files are equal if the object's ETag equals the one computed from the content (MD5, or S3's digest of parts), or if
 * the object's stored SHA-256 equals the content's. The ETag differs under encryption by the user's own keys, and for
 * parts of another size.
 */

import type { ListedObject, ObjectStore } from '../../io/index.ts';
import { ChangedError, LocalFolder, verifyPieces, type LocalFile } from './local-folder.ts';
import { groupByRun, isOfRuns, isSafePath, isSynced, type RunFiles } from './plan.ts';

export interface SyncSides {
  readonly direction: 'to store' | 'from store';
  /** Absolute path of the log folder. */
  readonly folder: string;
  readonly store: ObjectStore;
  /** Prefix of the store's keys: empty, or ends with a slash. */
  readonly prefix: string;
  /** Ids of the runs to copy; null: all runs, and files outside of runs. */
  readonly runIds: readonly string[] | null;
}

export interface SyncOutcome {
  readonly copied: number;
  readonly unchanged: number;
  /** Number of copied bytes. */
  readonly bytes: number;
  /** Sentences on files that were not copied, for example because they changed meanwhile. */
  readonly problems: readonly string[];
}

/** Most files copied at the same time; each has at most two parts of 8 MiB in memory. */
const CONCURRENCY = 8;

/** @param signal ends the sync after the files in progress */
export async function syncLogs(sides: SyncSides, signal: AbortSignal): Promise<SyncOutcome> {
  const tally = { copied: 0, unchanged: 0, bytes: 0, problems: [] as string[] };
  const { names, copy } = sides.direction === 'to store' ? await upload(sides) : await download(sides);
  const safe = names.filter(isSafePath);
  const unsafe = names.filter((name) => !isSafePath(name));
  if (unsafe.length > 0) {
    const shown = unsafe[0]?.replace(/[^\x20-\x7e]/g, '?').slice(0, 80) ?? '';
    const files = unsafe.length === 1 ? '1 file' : `${String(unsafe.length)} files`;
    tally.problems.push(`${files} not copied, because no file may have such a name: \`${shown}\``);
  }
  const copyOne = async (name: string): Promise<boolean> => {
    try {
      const bytes = await copy(name);
      if (bytes === null) tally.unchanged += 1;
      else tally.copied += 1;
      tally.bytes += bytes ?? 0;
      return true;
    } catch (error) {
      if (!(error instanceof ChangedError)) throw error;
      tally.problems.push(error.message);
      return false;
    }
  };
  for (const run of groupByRun(safe)) await copyRun(run, copyOne, signal);
  return tally;
}

async function copyRun(
  { files, last }: RunFiles,
  copyOne: (name: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = files[Symbol.iterator]();
  const stop = new AbortController();
  let isComplete = true;
  const work = async (): Promise<void> => {
    for (const name of waiting) {
      if (signal.aborted || stop.signal.aborted) return;
      if (!(await copyOne(name))) isComplete = false;
    }
  };
  const workers = Array.from({ length: CONCURRENCY }, () =>
    work().catch((error: unknown) => {
      stop.abort();
      throw error;
    }),
  );
  // All copies end before the first error is reported, so that nothing is written afterwards.
  const failed = (await Promise.allSettled(workers)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (last !== null && isComplete && !signal.aborted) await copyOne(last);
}

interface Copier {
  readonly names: readonly string[];
  /** Copies a file. @returns the number of bytes; null if the target had the same content. @throws ChangedError */
  readonly copy: (name: string) => Promise<number | null>;
}

async function upload({ folder, store, prefix, runIds }: SyncSides): Promise<Copier> {
  const local = new LocalFolder(folder);
  const sources = await local.list(runIds);
  const targets = await listStore(store, prefix, runIds);
  const copy = async (name: string): Promise<number | null> =>
    local.withSnapshot(name, present(sources.get(name)), async (snapshot) => {
      const target = targets.get(name);
      const key = prefix + name;
      if (target !== undefined && (await isSame(store, target, snapshot))) return null;
      const condition = target === undefined ? 'absent' : { etag: target.etag };
      if (await store.putStream(key, snapshot.pieces(), { sha256: snapshot.sha256, condition })) return snapshot.size;
      throw new ChangedError(`${name} has changed in the store since it was listed, and is not overwritten`);
    });
  return { names: [...sources.keys()], copy };
}

async function download({ folder, store, prefix, runIds }: SyncSides): Promise<Copier> {
  const local = new LocalFolder(folder);
  // `run.json` is from the first list and older than the records of the second, so all records that it counts are
  // there.
  const before = await listStore(store, prefix, runIds);
  const sources = await listStore(store, prefix, runIds);
  for (const name of sources.keys()) {
    if (!/^[^/]+\/run\.json$/.test(name)) continue;
    const first = before.get(name);
    if (first === undefined) sources.delete(name);
    else sources.set(name, first);
  }
  const targets = await local.list(runIds);
  const copy = async (name: string): Promise<number | null> => {
    const source = present(sources.get(name));
    const target = targets.get(name) ?? null;
    if (target !== null && (await isSameFile(local, store, name, source, target))) return null;
    const object = await store.get(source.key, source.etag);
    if (object === null) throw new ChangedError(`${name} has changed in the store since it was listed`);
    await local.write(
      name,
      verifyPieces(object, `${name} has arrived damaged from the store, and is not kept`),
      target,
    );
    return object.size;
  };
  return { names: [...sources.keys()], copy };
}

async function isSameFile(
  local: LocalFolder,
  store: ObjectStore,
  name: string,
  source: ListedObject,
  target: LocalFile,
): Promise<boolean> {
  if (target.size !== source.size) return false;
  return local.withSnapshot(name, target, (snapshot) => isSame(store, source, snapshot));
}

async function isSame(
  store: ObjectStore,
  object: ListedObject,
  { size, etag, sha256 }: { readonly size: number; readonly etag: string; readonly sha256: string },
): Promise<boolean> {
  if (object.size !== size) return false;
  return object.etag === etag || (await store.head(object.key))?.sha256 === sha256;
}

/** Lists objects by their paths below the prefix. Keys that end with a slash are folders made by consoles. */
async function listStore(
  store: ObjectStore,
  prefix: string,
  runIds: readonly string[] | null,
): Promise<Map<string, ListedObject>> {
  const found = new Map<string, ListedObject>();
  for (const begin of runIds ?? ['']) {
    for await (const page of store.list(prefix + begin)) {
      for (const object of page) {
        const name = object.key.slice(prefix.length);
        // Names with `..` are included, so that they are reported.
        const isWanted = isOfRuns(name, runIds) && (isSynced(name) || !isSafePath(name)) && !name.endsWith('/');
        if (isWanted) found.set(name, object);
      }
    }
  }
  return found;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('only names from the list are copied');
  return value;
}
