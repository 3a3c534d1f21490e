/**
 * The reference's data and recordings, where a machine has them. They are not part of the project: `TAU_BENCH_PACKS`
 * names the folder, else it is looked for beside the repository.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

function findReference(): string | null {
  const beside = fileURLToPath(new URL('../../../shared/tau-bench', import.meta.url));
  const folder = process.env['TAU_BENCH_PACKS'] ?? beside;
  return existsSync(join(folder, 'golden')) ? folder : null;
}

/** Absolute path of the folder with `retail/`, `airline/` and `golden/`; null when this machine has none. */
export const referenceDir: string | null = findReference();

/** A `describe` that is skipped, by name, where the reference is absent. */
export function describeWithReference(name: string, body: (dir: string) => void): void {
  if (referenceDir === null) {
    describe.skip(`${name} (skipped: no reference data; set TAU_BENCH_PACKS)`, () => undefined);
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
