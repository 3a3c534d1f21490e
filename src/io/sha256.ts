/** Node's sha256 for the benchmark's hash. */

import { createHash, type Hash } from 'node:crypto';

export const sha256 = (chunks: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk, 'utf8');
  return hash.digest('hex');
};

/** A sha256 that can be copied before it ends. */
interface NodeHasher {
  update(bytes: Uint8Array): void;
  copy(): NodeHasher;
  digest(): string;
}

function toHasher(hash: Hash): NodeHasher {
  return {
    update: (bytes) => void hash.update(bytes),
    copy: () => toHasher(hash.copy()),
    digest: () => hash.digest('hex'),
  };
}

export const sha256Hashing = {
  start: (): NodeHasher => toHasher(createHash('sha256')),
  encode: (text: string): Uint8Array => Buffer.from(text, 'utf8'),
};
