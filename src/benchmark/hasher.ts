/** The sha256 that the benchmark hashes with. Injected, because the benchmark is pure. */

/** sha256 of the concatenated chunks' UTF-8, lower-case hex. */
export type Sha256 = (chunks: Iterable<string>) => string;

/** A sha256 under way: what it has read so far can be copied, to go on in more than one way. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** An independent hasher that has read the same. */
  copy(): Hasher;
  /** Lower-case hex; the hasher cannot be used any more. */
  digest(): string;
}

export interface Hashing {
  readonly start: () => Hasher;
  /** The text as UTF-8. */
  readonly encode: (text: string) => Uint8Array;
}
