/** Tests on the reference's data and recordings. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';

import { NO_REFERENCE, referenceDir } from './reference-folder.ts';

export { referenceDir } from './reference-folder.ts';

/** A `describe` that is one skipped test, by name, where the reference is absent. */
export function describeWithReference(name: string, body: (dir: string) => void): void {
  if (referenceDir === null) {
    it.skip(`${name} (skipped: ${NO_REFERENCE})`, () => undefined);
    return;
  }
  const dir = referenceDir;
  describe(name, () => {
    body(dir);
  });
}

/** The lines of a JSON-lines file of the reference, as texts. */
export function referenceLines(dir: string, path: string): string[] {
  return readFileSync(join(dir, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
