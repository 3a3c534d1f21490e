/**
 * The log folder that is viewed: finds the run that an address names, and remembers its contents while its files do not
 * change.
 */

import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { Refusal, findStats } from '../../io/index.ts';
import { RunLog, checkRunId, notesOfFile, type NotesPlace } from '../../run-log/index.ts';
import { resultsFileIn } from '../../results/files/index.ts';

export interface ViewedPlace {
  /** Absolute path of the log folder, or the address of a store. */
  readonly logDir: string;
  /** Folder of the log's files on this machine. */
  readonly folder: string;
  /**
   * Updates the folder if it is a copy of a store.
   * @param id of a run or a results file; null: the list of runs
   */
  refresh?(id: string | null): Promise<void>;
  /** Changes a folder in the store of which this one is a copy. @param folder its copy */
  change?(folder: string, work: (folder: string) => Promise<void>): Promise<void>;
}

/** A run of this program, or a results file of any tool. */
export type ViewedSource =
  | { readonly kind: 'run'; readonly id: string; readonly log: RunLog }
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly path: string;
      /** Place of the run in a file with several runs, from 1; absent for the only run of a file. */
      readonly run?: number;
    };

/** Matches the id of a run in a file with several runs: its place, and the file's id. */
const RUN_OF_FILE = /^([1-9]\d{0,5})@(.+)$/;

export function toRunOfFile(file: string, run: number): string {
  return `${String(run)}@${file}`;
}

/**
 * @param id of a run, or the name of a results file in the folder
 * @throws Refusal for a missing one
 */
export function findViewed({ logDir, folder }: ViewedPlace, id: string): ViewedSource {
  if (/\.(?:json|eval)$/.test(id) && isFileName(id)) {
    const [, run, inFile] = RUN_OF_FILE.exec(id) ?? [];
    const whole = findFile(path.join(folder, id));
    const file = whole ?? (inFile === undefined ? null : findFile(path.join(folder, inFile)));
    if (file !== null) {
      const viewed = { kind: 'file', id, path: file, run: whole === null ? Number(run) : undefined } as const;
      const { folder: notes } = findFileNotes(viewed);
      const link = isLink(notes) ? path.basename(notes) : findLink(notes);
      if (link !== null) throw new Refusal(403, linkSentence(id, link));
      return viewed;
    }
  } else if (isRunId(id)) {
    const log = new RunLog({ runId: id, logDir }, folder);
    if (findStats(log.paths.run)?.isFile() === true) {
      const link = findLink(log.paths.folder);
      if (link !== null) throw new Refusal(403, linkSentence(id, link));
      return { kind: 'run', id, log };
    }
  }
  throw new Refusal(404, `there is no run ${JSON.stringify(id)} in ${logDir}; #/ lists those there are`);
}

function findFile(named: string): string | null {
  return findStats(named)?.isFile() === true ? named : resultsFileIn(named.replace(/\.json$/, ''));
}

/** Returns the notes of a run in a file; each run of a file has its own notes. */
export function findFileNotes({ id, path: file, run }: Extract<ViewedSource, { kind: 'file' }>): NotesPlace {
  return notesOfFile(run === undefined ? file : path.join(path.dirname(file), id));
}

/**
 * Finds a symbolic link in a run's folder. The folder may come from anybody, so the link's target is neither shown nor
 * written to.
 * @returns the link's path in the folder; null if there is none
 */
export function findLink(folder: string): string | null {
  const entries = listEntries(folder);
  for (const entry of entries) {
    if (entry.isSymbolicLink()) return entry.name;
    if (!entry.isDirectory()) continue;
    const link = listEntries(path.join(folder, entry.name)).find((below) => below.isSymbolicLink());
    if (link !== undefined) return path.join(entry.name, link.name);
  }
  return null;
}

export function linkSentence(id: string, link: string): string {
  return `the run ${id} has a symbolic link, ${link}, which the view does not follow; put a copy of the file in its place`;
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Reading the folder later reports the reason.
    return [];
  }
}

export function isRunId(id: string): boolean {
  try {
    checkRunId(id);
    return true;
  } catch {
    return false;
  }
}

/** True for a name that a visible file in a folder can have. */
function isFileName(name: string): boolean {
  return name.length <= 255 && !name.startsWith('.') && !/[/\\\0]/.test(name);
}

/** State of files and folders: changes when one of them is written, added, replaced or removed. */
export interface Stamp {
  readonly version: string;
  /** Time of the last change, in ms since the epoch; 0 if no file exists. */
  readonly changedAtMs: number;
}

/**
 * Reads the state of files and folders. Replacing a file also changes its folder, so a folder's stamp covers its files.
 */
export function readStamp(paths: readonly string[]): Stamp {
  const all = paths.map(findStats);
  return {
    version: all.map((stats) => (stats === undefined ? '-' : `${stats.ino}.${stats.size}.${stats.mtimeMs}`)).join(' '),
    changedAtMs: Math.max(0, ...all.map((stats) => stats?.mtimeMs ?? 0)),
  };
}

interface Kept<T> {
  readonly version: string;
  readonly value: Promise<T>;
  /** Time of the value's creation, in ms since the epoch. */
  readonly madeAt: number;
}

/** Values by name, each valid for a version. Simultaneous requests share one computation. */
export class VersionedCache<T extends object> {
  readonly #kept: LRUCache<string, Kept<T>>;

  /** @param max number of values */
  constructor(max: number) {
    this.#kept = new LRUCache({ max });
  }

  get(name: string, version: string, make: () => Promise<T>): Promise<T> {
    return this.getRecent(name, version, 0, make).value;
  }

  /**
   * @param patienceMs longest age up to which a value of an earlier version is returned
   * @returns the value, and its version
   */
  getRecent(name: string, version: string, patienceMs: number, make: () => Promise<T>): Kept<T> {
    const kept = this.#kept.get(name);
    const now = performance.now();
    if (kept !== undefined && (kept.version === version || now - kept.madeAt < patienceMs)) return kept;
    const made = { version, value: make(), madeAt: now };
    this.#kept.set(name, made);
    made.value.catch(() => {
      // A failure is not kept, so that the next request tries again.
      if (this.#kept.peek(name) === made) this.#kept.delete(name);
    });
    return made;
  }
}
