/** An object store in memory that keeps the rules of S3: conditions, ETags, pages in the order of the keys. */

import { createHash } from 'node:crypto';

import type { ListedObject, ObjectStore } from '../../../src/io/index.ts';
import type { StreamOptions, WriteCondition } from '../../../src/io/testing.ts';

interface Kept {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly sha256: string | null;
}

export class MemoryStore implements ObjectStore {
  readonly objects = new Map<string, Kept>();
  /** Keys in the order in which they were written. */
  readonly written: string[] = [];
  /** `list`, `head r/run.json`, …: requests in their order. */
  readonly requests: string[] = [];
  /** Called before each write and read. */
  beforeRequest: (request: string) => void | Promise<void> = () => undefined;

  /** @param sha256 null: as another program stores an object */
  keep(key: string, text: string, { etag, sha256 = null }: { etag?: string; sha256?: string | null } = {}): void {
    const bytes = Buffer.from(text);
    this.objects.set(key, { bytes, etag: etag ?? digest('md5', bytes), sha256 });
  }

  texts(): Record<string, string> {
    return Object.fromEntries([...this.objects].sort().map(([key, { bytes }]) => [key, bytes.toString()]));
  }

  async *list(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    await this.#ask(`list ${prefix}`);
    const found = [...this.objects].filter(([key]) => key.startsWith(prefix)).sort();
    for (let at = 0; at < found.length; at += 2) {
      yield found.slice(at, at + 2).map(([key, { bytes, etag }]) => ({ key, size: bytes.length, etag }));
    }
  }

  async *listFolders(prefix: string): AsyncGenerator<readonly string[]> {
    await this.#ask(`folders ${prefix}`);
    const below = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key.includes('/', prefix.length));
    yield [...new Set(below.map((key) => key.slice(0, key.indexOf('/', prefix.length))))].sort();
  }

  async head(key: string) {
    await this.#ask(`head ${key}`);
    const kept = this.objects.get(key);
    return kept === undefined ? null : { etag: kept.etag, size: kept.bytes.length, sha256: kept.sha256 };
  }

  async get(key: string, etag?: string) {
    await this.#ask(`get ${key}`);
    const kept = this.objects.get(key);
    if (kept === undefined || (etag !== undefined && etag !== kept.etag)) return null;
    const { bytes, sha256 } = kept;
    return { etag: kept.etag, size: bytes.length, sha256, pieces: once(bytes) };
  }

  async put(key: string, body: string | Uint8Array, condition: WriteCondition = 'none'): Promise<boolean> {
    await this.#ask(`put ${key}`);
    const before = this.objects.get(key);
    if (condition === 'absent' && before !== undefined) return false;
    if (typeof condition === 'object' && before?.etag !== condition.etag) return false;
    const bytes = Buffer.from(body);
    this.objects.set(key, { bytes, etag: digest('md5', bytes), sha256: digest('sha256', bytes) });
    this.written.push(key);
    return true;
  }

  async putStream(key: string, pieces: AsyncIterable<Uint8Array>, { condition }: StreamOptions): Promise<boolean> {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    return this.put(key, Buffer.concat(all), condition);
  }

  async delete(key: string): Promise<void> {
    await this.#ask(`delete ${key}`);
    this.objects.delete(key);
  }

  async #ask(request: string): Promise<void> {
    this.requests.push(request);
    await this.beforeRequest(request);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- read in the same way as a download is
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function digest(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}
