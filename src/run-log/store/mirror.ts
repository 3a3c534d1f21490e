/**
 * A copy of a log folder in an object store, for repeated reading. It has the documents of all runs, the records of
 * runs in progress, and all files of opened runs. Each read updates it.
 */

import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders, type ListedObject } from '../../io/index.ts';
import { RunLog, orReport } from '../index.ts';
import { isSafePath } from '../sync/index.ts';
import { WHOLE_RUN, isKept } from './parts.ts';
import { inParallel, linkOrCopy } from './placing.ts';

/** Least time between two listings, in ms. An open page refreshes every second, and listings cost money. */
const LEAST_REST_MS = 5_000;
/** Time between two listings, as a multiple of the duration of one. */
const REST_FACTOR = 5;

/** The operations of a store that a mirror needs; names are relative to the log folder's address. */
export interface MirroredStore {
  readonly logDir: string;
  list(beginning: string): Promise<ReadonlyMap<string, ListedObject>>;
  /** @returns null if the object no longer exists */
  fetch(object: ListedObject): Promise<{ readonly file: string; readonly etag: string } | null>;
  change(run: { runId: string; logDir: string }, prefix: string, work: (log: RunLog) => Promise<void>): Promise<void>;
}

export class StoreMirror {
  /** Address of the log folder. */
  readonly logDir: string;
  readonly folder: string;
  readonly #store: MirroredStore;
  /** ETags of the files in the copy, by name. */
  readonly #placed = new Map<string, string>();
  readonly #opened = new Set<string>();
  /** Time of the next allowed listing, by run; the empty name stands for the list of all runs. */
  readonly #restUntil = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();

  constructor(store: MirroredStore, folder: string) {
    this.logDir = store.logDir;
    this.folder = folder;
    this.#store = store;
  }

  /**
   * Updates the copy, unless it has just been updated.
   * @param id a run, to copy all of its files; null for the list of runs, which includes results files
   */
  refresh(id: string | null): Promise<void> {
    const runId = id === null || id.endsWith('.json') ? '' : id;
    // One after the other, so that an older listing does not overwrite what a newer one brought.
    const done = this.#last.then(() => this.#refreshRested(runId));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * Changes a folder of the store and updates its copy.
   * @param folder the folder in this copy
   * @param work called, possibly several times, with another copy, whose changes are written
   */
  async change(folder: string, work: (folder: string) => Promise<void>): Promise<void> {
    const [first = '', ...below] = path.relative(this.folder, folder).split(path.sep);
    const prefix = below.map((name) => `${name}/`).join('');
    const run = { runId: first, logDir: this.logDir };
    await this.#store.change(run, prefix, (log) => work(path.join(log.paths.folder, ...below)));
    this.#restUntil.clear();
    await this.refresh(this.#opened.has(first) ? first : null);
  }

  async #refreshRested(runId: string): Promise<void> {
    const begunAt = Date.now();
    if (begunAt < (this.#restUntil.get(runId) ?? 0)) return;
    if (runId !== '' && (!isSafePath(runId) || runId.includes('/'))) return;
    const beginning = runId === '' ? '' : `${runId}/`;
    const listed = await this.#store.list(beginning);
    const restMs = Math.max(LEAST_REST_MS, REST_FACTOR * (Date.now() - begunAt));
    if (runId !== '' && listed.size > 0) this.#opened.add(runId);
    await this.#bring(listed);
    for (const name of [...this.#placed.keys()]) {
      if (!name.startsWith(beginning) || listed.has(name)) continue;
      await rm(this.#toPath(name), { force: true });
      this.#placed.delete(name);
    }
    this.#restUntil.set(runId, Date.now() + restMs);
  }

  async #bring(listed: ReadonlyMap<string, ListedObject>): Promise<void> {
    const isRun = (runId: string): boolean => listed.has(`${runId}/run.json`);
    const all = [...listed].flatMap(([name, object]) => {
      const [first = '', ...below] = name.split('/');
      const file = below.join('/');
      const isWanted = isSafePath(name) && isKept(name) && isKept(file) && WHOLE_RUN.wants(file);
      return isWanted ? [{ name, object, first, file }] : [];
    });
    await this.#place(
      all.filter(({ name, first, file }) => {
        if (file === '') return name === 'baselines.json' || !isRun(name.replace(/\.json$/, ''));
        return this.#opened.has(first) || first.endsWith('.notes') || HEADS.has(file);
      }),
    );
    const counted = new Set<string>();
    for (const { first, file } of all) if (file === 'run.json' && (await this.#isCounted(first))) counted.add(first);
    await this.#place(all.filter(({ first, file }) => counted.has(first) && file.startsWith('episodes/')));
  }

  /** @returns true if a run's figures have to be counted from its records */
  async #isCounted(runId: string): Promise<boolean> {
    if (!this.#placed.has(`${runId}/metrics.json`)) return true;
    const manifest = await orReport(
      () => this.#openLog(runId).readRun(),
      () => undefined,
    );
    return manifest?.status === 'running';
  }

  async #place(objects: readonly { readonly name: string; readonly object: ListedObject }[]): Promise<void> {
    await inParallel(objects, async ({ name, object }) => {
      if (this.#placed.get(name) === object.etag) return;
      const fetched = await this.#store.fetch(object);
      if (fetched === null) return;
      const target = this.#toPath(name);
      const beside = path.join(path.dirname(target), `.${path.basename(target)}.new`);
      await makeFolders(path.dirname(target));
      await rm(beside, { force: true });
      await linkOrCopy(fetched.file, beside);
      await rename(beside, target);
      // Renaming does not replace a file by another link to the same file, so it is removed.
      await rm(beside, { force: true });
      this.#placed.set(name, fetched.etag);
      const [runId = '', folder, file] = name.split('/');
      if (folder === 'episodes' && file !== undefined) await this.#openLog(runId).indexEpisode(file);
    });
  }

  #openLog(runId: string): RunLog {
    return new RunLog({ runId, logDir: this.logDir }, this.folder);
  }

  #toPath(name: string): string {
    return path.join(this.folder, ...name.split('/'));
  }
}

/** Files of a run that the list of runs needs. */
const HEADS: ReadonlySet<string> = new Set(['run.json', 'metrics.json', 'comparison.json']);
