/**
 * Run logs in an object store. Every operation works on its own copy of the part that it needs, and writes changes back
 * if no other process has changed the files; otherwise it begins again. A killed process leaves no files that could be
 * mistaken for the log.
 */

import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UnreachableError, instead } from '../../errors/index.ts';
import {
  openObjectStore,
  parseS3Address,
  writeFileAtomically,
  type ListedObject,
  type ObjectStore,
} from '../../io/index.ts';
import type { RunRef } from '../../evaluation/index.ts';
import { RunLog, runPaths } from '../index.ts';
import { isSafePath, verifyPieces } from '../sync/index.ts';
import { StoreMirror, type MirroredStore } from './mirror.ts';
import { RUN_HEAD, type RunPart } from './parts.ts';
import { inParallel } from './placing.ts';
import { RunCopy } from './run-copy.ts';

/** Most retries of an operation whose files another process changed. */
const MAX_CONFLICTS = 10;
const DAY_MS = 24 * 3_600_000;
/** Age from which a copy is treated as that of a killed process. */
const STALE_MS = 7 * DAY_MS;
/** Time for which an unused content stays in the cache, because fetching it again costs a request. */
const KEPT_MS = 30 * DAY_MS;

export interface StorePlaces {
  /** Tauflow's cache folder. Copies are below it, readable only by their owner. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns a function that opens the store of an address, once per process. @param logDir normalized by
 * `resolveLogPlace`
 */
export function createLogStores(places: StorePlaces): (logDir: string) => Promise<LogStore> {
  const opened = new Map<string, Promise<LogStore>>();
  return (logDir) => {
    const before = opened.get(logDir);
    if (before !== undefined) return before;
    const opening = openLogStore(logDir, places);
    opened.set(logDir, opening);
    // The next call tries again to open a store that could not be opened.
    opening.catch(() => opened.delete(logDir));
    return opening;
  };
}

async function openLogStore(logDir: string, { home, env }: StorePlaces): Promise<LogStore> {
  const address = parseS3Address(logDir);
  if (address === null) throw new Error(`${logDir} is not the address of a store`);
  const { bucket, prefix } = address;
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? '';
  const readable = `${bucket}-${prefix}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
  const folder = path.join(home, 'logs', `${readable}${hashText(`${endpoint}\0${bucket}/${prefix}`).slice(0, 12)}`);
  const store = new LogStore(await openObjectStore(bucket, env), { logDir, prefix, folder });
  await store.prepare();
  return store;
}

interface LogStorePlace {
  /** Address of the store: `s3://bucket/prefix`. */
  readonly logDir: string;
  /** Prefix of the store's keys: empty, or ends with a slash. */
  readonly prefix: string;
  readonly folder: string;
}

interface StoredRun {
  readonly log: RunLog;
  /** Number of episodes with a record. */
  readonly episodes: number;
}

export class LogStore {
  readonly #store: ObjectStore;
  readonly #place: LogStorePlace;
  /** Tokens by run; they never change. */
  readonly #tokens = new Map<string, string>();

  constructor(store: ObjectStore, place: LogStorePlace) {
    this.#store = store;
    this.#place = place;
  }

  /** Creates the folder for copies, and removes copies of killed processes and long unused contents. */
  async prepare(): Promise<void> {
    await mkdir(this.#objects, { recursive: true, mode: 0o700 });
    await mkdir(this.#copies, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#copies)) {
      const copy = path.join(this.#copies, name);
      const found = await stat(copy).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(copy, { recursive: true, force: true });
    }
    await this.#prune();
  }

  /** Removes long unused contents, once a day. Each use of a content links to it, which changes its ctime. */
  async #prune(): Promise<void> {
    const marker = path.join(this.#place.folder, 'pruned');
    const before = await stat(marker).catch(() => null);
    if (before !== null && Date.now() - before.mtimeMs < DAY_MS) return;
    await writeFile(marker, '', { mode: 0o600 });
    for (const name of await readdir(this.#objects)) {
      const object = path.join(this.#objects, name);
      const found = await stat(object).catch(() => null);
      if (found?.nlink === 1 && Date.now() - found.ctimeMs > KEPT_MS) await rm(object, { force: true });
    }
  }

  /** @returns true if the store has an object of the run */
  async has(runId: string): Promise<boolean> {
    for await (const page of this.#store.list(this.#toKey(runId, ''))) if (page.length > 0) return true;
    return false;
  }

  /** Lists the ids of stored runs that begin with `beginning`. */
  async listRuns(beginning: string): Promise<string[]> {
    const { prefix } = this.#place;
    const runIds: string[] = [];
    for await (const page of this.#store.listFolders(prefix + beginning)) {
      runIds.push(...page.map((folder) => folder.slice(prefix.length)).filter(isSafePath));
    }
    return runIds;
  }

  /** @returns the run's token; null if there is no such run */
  async readToken(run: RunRef): Promise<string | null> {
    const known = this.#tokens.get(run.runId);
    if (known !== undefined) return known;
    const copy = await this.#copy(run, { ...RUN_HEAD, prefixes: ['run-token'] });
    const token = await copy.log.readToken();
    await copy.remove();
    if (token !== null) this.#tokens.set(run.runId, token);
    return token;
  }

  /** Makes a copy for reading, which is removed at the end of the process. */
  async read(run: RunRef, part: RunPart): Promise<RunLog> {
    const copy = await this.#copy(run, part);
    removeAtExit(copy.folder);
    return copy.log;
  }

  /** Reads the documents of all started runs, in copies like those of {@link read}. */
  async readSummaries(): Promise<StoredRun[]> {
    const episodes = new Map<string, number>();
    const begun = new Set<string>();
    for await (const page of this.#store.list(this.#place.prefix)) {
      for (const { key } of page) {
        const [runId = '', ...below] = key.slice(this.#place.prefix.length).split('/');
        const file = below.join('/');
        if (file === 'run.json' && isSafePath(runId)) begun.add(runId);
        if (/^episodes\/[^/]+\.json$/.test(file)) episodes.set(runId, (episodes.get(runId) ?? 0) + 1);
      }
    }
    const runs: StoredRun[] = [];
    const part: RunPart = { prefixes: ['run.json', 'metrics.json'], wants: () => true };
    for (const runId of begun) {
      const log = await this.read({ runId, logDir: this.#place.logDir }, part);
      runs.push({ log, episodes: episodes.get(runId) ?? 0 });
    }
    return runs;
  }

  /** Makes an empty copy of the log folder, which is removed at the end of the process. */
  async mirror(): Promise<StoreMirror> {
    const folder = path.join(this.#copies, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    removeAtExit(folder);
    const { logDir, prefix } = this.#place;
    const list = async (beginning: string): Promise<ReadonlyMap<string, ListedObject>> => {
      const found = new Map<string, ListedObject>();
      for await (const page of this.#store.list(prefix + beginning)) {
        for (const object of page) found.set(object.key.slice(prefix.length), object);
      }
      return found;
    };
    const store: MirroredStore = {
      logDir,
      list,
      fetch: (object) => this.#fetch(object),
      change: (run, beginning, work) => this.change(run, { prefixes: [beginning], wants: () => true }, work),
    };
    return new StoreMirror(store, folder);
  }

  /**
   * Runs work on a copy and writes all changes back under conditions. If another process has changed a file first, the
   * work is repeated, so it must be repeatable.
   */
  async change<T>(run: RunRef, part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T> {
    return this.#untilWritten(`the run ${run.runId}`, async () => {
      const copy = await this.#copy(run, part);
      try {
        const result = await work(copy.log);
        return (await copy.writeBack()) ? { result } : null;
      } finally {
        await copy.remove();
      }
    });
  }

  /**
   * Changes a file beside the runs' folders, like {@link change}.
   * @param work called with a folder that has only a copy of this file; may only read it
   */
  async changeShared<T>(file: string, work: (folder: string) => Promise<T>): Promise<T> {
    const key = this.#place.prefix + file;
    return this.#untilWritten(file, async () => {
      const folder = path.join(this.#copies, randomUUID());
      const copy = path.join(folder, file);
      await mkdir(folder, { mode: 0o700 });
      try {
        const object = await this.#store.get(key);
        if (object !== null) await writeFileAtomically(copy, verifyPieces(object, damageText(key)), { sync: false });
        const before = await readFile(copy, 'utf8').catch(instead(null, 'ENOENT'));
        const result = await work(folder);
        const after = await readFile(copy, 'utf8').catch(instead(null, 'ENOENT'));
        if (after === null || after === before) return { result };
        const condition = object === null ? 'absent' : { etag: object.etag };
        return (await this.#store.put(key, after, condition)) ? { result } : null;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** @param attempt returns null if another process was faster */
  async #untilWritten<T>(what: string, attempt: () => Promise<{ readonly result: T } | null>): Promise<T> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const done = await attempt();
      if (done !== null) return done.result;
    }
    throw new UnreachableError(`${what} in ${this.#place.logDir} is changed by others all the time; try again later.`);
  }

  /** Removes the documents of a run that never started. */
  async forget(run: RunRef): Promise<void> {
    for (const file of ['run.json', 'prices.json', 'run-token']) await this.#store.delete(this.#toKey(run.runId, file));
  }

  async #copy(run: RunRef, part: RunPart): Promise<RunCopy> {
    // Refuses ids that would lead elsewhere.
    runPaths(run);
    const folder = path.join(this.#copies, randomUUID());
    const key = (file: string) => this.#toKey(run.runId, file);
    const copy = new RunCopy(new RunLog(run, folder), this.#store, key);
    await mkdir(folder, { mode: 0o700 });
    try {
      await this.#fill(copy, await this.#list(run.runId, part));
    } catch (error) {
      await copy.remove();
      throw error;
    }
    return copy;
  }

  /** Lists the objects of a part, by their names in the run's folder. */
  async #list(runId: string, { prefixes, wants }: RunPart): Promise<Map<string, ListedObject>> {
    const found = new Map<string, ListedObject>();
    const folder = this.#toKey(runId, '');
    await Promise.all(
      prefixes.map(async (prefix) => {
        for await (const page of this.#store.list(folder + prefix)) {
          for (const object of page) {
            const file = object.key.slice(folder.length);
            if (isSafePath(file) && wants(file)) found.set(file, object);
          }
        }
      }),
    );
    return found;
  }

  async #fill(copy: RunCopy, objects: ReadonlyMap<string, ListedObject>): Promise<void> {
    await inParallel(objects, async ([file, object]) => {
      const kept = await this.#fetch(object);
      // The object was replaced after the listing. A writer notices that, and a reader gets the current content.
      if (kept !== null) await copy.place(file, kept.file, kept.etag);
    });
  }

  /**
   * Fetches an object's content, which never changes, into this machine's cache. Null if the object no longer exists.
   */
  async #fetch({ key, etag, size }: ListedObject): Promise<{ file: string; etag: string } | null> {
    const file = this.#toFile(key, etag);
    // A power cut may leave a shorter file.
    if ((await stat(file).catch(() => null))?.size === size) return { file, etag };
    const object = await this.#store.get(key);
    if (object === null) return null;
    const now = this.#toFile(key, object.etag);
    await writeFileAtomically(now, verifyPieces(object, damageText(key)), { mode: 0o600, sync: false });
    // Read-only, because copies link to the file: they have to replace it instead of writing to it.
    await chmod(now, 0o400);
    return { file: now, etag: object.etag };
  }

  #toFile(key: string, etag: string): string {
    return path.join(this.#objects, hashText(`${key}\0${etag}`));
  }

  get #objects(): string {
    return path.join(this.#place.folder, 'objects');
  }

  get #copies(): string {
    return path.join(this.#place.folder, 'copies');
  }

  /** Returns the key of a file. @param file name in the run's folder; `../<run>.json` is beside it */
  #toKey(runId: string, file: string): string {
    const { prefix } = this.#place;
    return file.startsWith('../') ? `${prefix}${file.slice('../'.length)}` : `${prefix}${runId}/${file}`;
  }
}

function damageText(key: string): string {
  return `${key} has arrived damaged from the store; run the same command again.`;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const removedAtExit = new Set<string>();

function removeAtExit(folder: string): void {
  if (removedAtExit.size === 0) {
    process.once('exit', () => {
      for (const each of removedAtExit) rmSync(each, { recursive: true, force: true });
    });
  }
  removedAtExit.add(folder);
}
