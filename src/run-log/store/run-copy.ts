/** A copy of part of a run, which records the origin of its files and writes changes back. */

import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders, type ObjectStore } from '../../io/index.ts';
import type { RunLog } from '../index.ts';
import { LocalFolder } from '../sync/index.ts';
import { inWritingOrder, isKept } from './parts.ts';
import { linkOrCopy } from './placing.ts';
import { instead } from '../../errors/index.ts';

interface PlacedFile {
  readonly etag: string;
  /** Version of the file when it was placed in the copy. */
  readonly version: string;
  /** Path of the same content in the cache. */
  readonly origin: string;
}

export class RunCopy {
  readonly log: RunLog;
  readonly #store: ObjectStore;
  readonly #toStoreKey: (file: string) => string;
  readonly #placed = new Map<string, PlacedFile>();

  /** @param toStoreKey returns a file's key in the store, from its name in the run's folder */
  constructor(log: RunLog, store: ObjectStore, toStoreKey: (file: string) => string) {
    this.log = log;
    this.#store = store;
    this.#toStoreKey = toStoreKey;
  }

  get folder(): string {
    return path.dirname(this.log.paths.folder);
  }

  async place(file: string, origin: string, etag: string): Promise<void> {
    const target = this.#toPath(file);
    await makeFolders(path.dirname(target));
    await linkOrCopy(origin, target);
    this.#placed.set(file, { etag, version: (await this.#readVersion(file)) ?? '', origin });
  }

  /** @returns false if the store has changed meanwhile, after writing some of the files */
  async writeBack(): Promise<boolean> {
    const files = await this.#changed();
    for (const file of files) if (!(await this.#put(file))) return false;
    for (const [file, { etag }] of this.#placed) {
      if ((await this.#readVersion(file)) !== null) continue;
      const now = await this.#store.head(this.#toStoreKey(file));
      if (now !== null && now.etag !== etag) return false;
      if (now !== null) await this.#store.delete(this.#toStoreKey(file));
    }
    return true;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #changed(): Promise<string[]> {
    const changed: string[] = [];
    for (const file of await this.#list()) {
      if (this.#placed.get(file)?.version !== (await this.#readVersion(file))) changed.push(file);
    }
    return inWritingOrder(changed);
  }

  async #put(file: string): Promise<boolean> {
    const before = this.#placed.get(file);
    return withContent(this.#toPath(file), async (content) => {
      const { sha256 } = content;
      if (before !== undefined && (await withContent(before.origin, (old) => Promise.resolve(old.sha256))) === sha256) {
        return true;
      }
      // Results files and metrics are derived from the records, so the last writer wins.
      const condition = isDerived(file) ? 'none' : before === undefined ? 'absent' : { etag: before.etag };
      return this.#store.putStream(this.#toStoreKey(file), content.pieces(), { sha256, condition });
    });
  }

  /** Lists the files of the run, and the results file beside its folder. */
  async #list(): Promise<string[]> {
    const found: string[] = [];
    const visit = async (below: string): Promise<void> => {
      const entries = await readdir(this.#toPath(below), { withFileTypes: true }).catch(instead([], 'ENOENT'));
      for (const entry of entries) {
        const file = below + entry.name;
        if (entry.isDirectory()) await visit(`${file}/`);
        else if (isKept(file)) found.push(file);
      }
    };
    await visit('');
    const results = `../${path.basename(this.log.paths.results)}`;
    return (await this.#readVersion(results)) === null ? found : [...found, results];
  }

  async #readVersion(file: string): Promise<string | null> {
    const found = await stat(this.#toPath(file)).catch(instead(null, 'ENOENT'));
    return found === null ? null : `${found.ino}.${found.size}.${found.mtimeMs}`;
  }

  #toPath(file: string): string {
    return path.join(this.log.paths.folder, ...file.split('/'));
  }
}

function isDerived(file: string): boolean {
  return /^(?:\.\.|conditions)\//.test(file) || file === 'metrics.json';
}

type Content = Parameters<Parameters<LocalFolder['withSnapshot']>[2]>[0];

function withContent<T>(file: string, use: (content: Content) => Promise<T>): Promise<T> {
  const listed = { size: 0, version: '', content: null };
  return new LocalFolder(path.dirname(file)).withSnapshot(path.basename(file), listed, use);
}
