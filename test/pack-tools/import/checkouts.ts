/** The small checkout of the fixtures, in memory or in a folder, to spoil at will. */

import { cp, readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Checkout, importCheckout } from '../../../src/pack-tools/import/testing.ts';
import type { ImportOptions, ImportResult } from '../../../src/pack-tools/import/index.ts';
import { scratchFolder } from '../../benchmarks/packs/folders.ts';

export const FIXTURE = fileURLToPath(new URL('../../fixtures/tau-bench-checkout', import.meta.url));

/** File → new contents; undefined removes the file. */
export type Changes = Readonly<Record<string, string | Buffer | undefined>>;

/** The fixture's files with changes, as a checkout in memory. */
export async function fixtureCheckout(changes: Changes = {}): Promise<Checkout> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(FIXTURE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(FIXTURE, path).split(sep).join('/'), await readFile(path));
  }
  for (const [path, contents] of Object.entries(changes)) {
    if (contents === undefined) files.delete(path);
    else files.set(path, Buffer.from(contents));
  }
  return new Checkout('the checkout', files);
}

export async function importFixture(
  changes: Changes = {},
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importCheckout(await fixtureCheckout(changes), { domains: ['retail', 'airline'], ...options });
}

/** A copy of the fixture in a folder that is gone after the test. */
export async function fixtureFolder(): Promise<string> {
  const folder = join(await scratchFolder(), 'tau-bench');
  await cp(FIXTURE, folder, { recursive: true });
  return folder;
}

/** The sentence that an import ends with. */
export async function refusal(changes: Changes): Promise<string> {
  try {
    await importFixture(changes);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no refusal';
}
