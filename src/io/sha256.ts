/** Node's sha256 for the benchmark's hash. */

import { createHash, type Hash } from 'node:crypto';
import type { Hasher, Hashing, Sha256 } from '../benchmarks/index.ts';

export const sha256: Sha256 = (chunks) => {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk, 'utf8');
  return hash.digest('hex');
};

export const sha256Hashing: Hashing = {
  start: () => new NodeHasher(createHash('sha256')),
  encode: (text) => Buffer.from(text, 'utf8'),
};

class NodeHasher implements Hasher {
  readonly #hash: Hash;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  copy(): NodeHasher {
    return new NodeHasher(this.#hash.copy());
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
