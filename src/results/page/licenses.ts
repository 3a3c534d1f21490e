/** Whose code the viewer's bundle has in it, and on which terms. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  /** As its package.json says, such as `MIT`. */
  readonly license: string;
  readonly text: string;
}

/**
 * The packages of bundled files, by name.
 * @param inputs the bundler's, relative to the folder
 * @param folder absolute
 */
export async function packagesOf(inputs: readonly string[], folder: string): Promise<BundledPackage[]> {
  const roots = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []));
  const packages = await Promise.all(Array.from(roots, (root) => packageAt(join(folder, root))));
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function packageAt(root: string): Promise<BundledPackage> {
  const { name, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as BundledPackage;
  const file = (await readdir(root)).find((entry) => /^licen[cs]e/i.test(entry));
  return { name, license, text: file === undefined ? '' : await readFile(join(root, file), 'utf8') };
}
