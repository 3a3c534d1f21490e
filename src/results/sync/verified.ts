/** The content of an object, checked against what was stored with it. */

import { createHash } from 'node:crypto';
import type { StoredObject } from '../../io/index.ts';
import { ChangedError } from './local-folder.ts';

/**
 * @param damaged what is to be said of other content than was stored
 * @throws ChangedError at the end, before the file that it is written to is put in place
 */
export async function* verified(
  { pieces, sha256 }: Pick<StoredObject, 'pieces' | 'sha256'>,
  damaged: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new ChangedError(damaged);
}
