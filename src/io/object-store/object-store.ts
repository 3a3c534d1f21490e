/** The operations of an object store that Tauflow needs, and that S3 and compatible stores have. */

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** ETag without its quotes. */
  readonly etag: string;
}

export interface ObjectHead {
  readonly etag: string;
  readonly size: number;
  /** Digest of the content in hex, which this program stores with the object; null if another program wrote it. */
  readonly sha256: string | null;
}

export interface StoredObject extends ObjectHead {
  /** The content, which can be read once. Throws if the connection breaks and does not recover. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Condition of a write: the key must be absent, or the object must have this ETag. A condition also holds if the object
 * already has the content to be written, because the client repeats a request whose answer was lost.
 */
export type WriteCondition = 'none' | 'absent' | { readonly etag: string };

export interface StreamOptions {
  /** Digest of the whole content, in hex. */
  readonly sha256: string;
  /** Condition of the write. @default 'none' */
  readonly condition?: WriteCondition;
}

/**
 * Objects of one bucket. Every method throws `UsageError` for a problem that the user can correct (no such bucket,
 * access denied, no credentials), and `UnreachableError` if the store does not answer after all retries.
 */
export interface ObjectStore {
  /** Lists all objects whose keys begin with a prefix, page by page, in the order of their keys. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>;
  /** Lists the parts of keys from a prefix up to the next slash, each once and with the prefix, page by page. */
  listFolders(prefix: string): AsyncIterable<readonly string[]>;
  /** @returns null if there is no such object */
  head(key: string): Promise<ObjectHead | null>;
  /** @returns null if there is no such object, or if it has another ETag than the requested one */
  get(key: string, etag?: string): Promise<StoredObject | null>;
  /** @returns false if the condition does not hold; nothing is written then */
  put(key: string, body: string | Uint8Array, condition?: WriteCondition): Promise<boolean>;
  /** Writes content of any length like `put`, with at most two parts of it in memory. */
  putStream(key: string, pieces: AsyncIterable<Uint8Array>, options: StreamOptions): Promise<boolean>;
  /** Deletes an object; does nothing if there is no such object. */
  delete(key: string): Promise<void>;
}

/** Size of upload parts in bytes. Longer content is uploaded in parts; the ETag depends on their size. */
export const PART_BYTES = 8 * 1024 * 1024;
