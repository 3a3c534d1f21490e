/** The part of an object store that Tauflow needs, which S3 and its compatible stores have. */

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** ETag without its quotes. */
  readonly etag: string;
}

export interface ObjectHead {
  readonly etag: string;
  readonly size: number;
  /** Digest of the content, in hex, as this program has stored it with the object; null where another program wrote it. */
  readonly sha256: string | null;
}

export interface StoredObject extends ObjectHead {
  /** The content; can be read once. Throws where the connection breaks and does not recover. */
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
  /** @default 'none' */
  readonly condition?: WriteCondition;
}

/**
 * Objects of one bucket. Every method throws `UsageError` for a problem that a person can correct (no such bucket,
 * access denied, no credentials), and `UnreachableError` if the store does not answer after all retries.
 */
export interface ObjectStore {
  /** Lists all objects whose keys begin with a prefix, page by page, in the order of their keys. */
  list(prefix: string): AsyncIterable<readonly ListedObject[]>;
  /** Lists the parts of keys from a prefix up to the next slash, each once and with the prefix, page by page. */
  listFolders(prefix: string): AsyncIterable<readonly string[]>;
  /** @returns null where there is no such object */
  head(key: string): Promise<ObjectHead | null>;
  /** @returns null where there is no such object, or it has another ETag than the requested one */
  get(key: string, etag?: string): Promise<StoredObject | null>;
  /** @returns false if the condition does not hold; nothing is written then */
  put(key: string, body: string | Uint8Array, condition?: WriteCondition): Promise<boolean>;
  /** Writes content of any length as `put` does, with at most two parts of it in memory. */
  putStream(key: string, pieces: AsyncIterable<Uint8Array>, options: StreamOptions): Promise<boolean>;
  /** Does nothing where there is no such object. */
  delete(key: string): Promise<void>;
}

/** Longer content is uploaded in parts of this size, in bytes. The ETag depends on it. */
export const PART_BYTES = 8 * 1024 * 1024;
