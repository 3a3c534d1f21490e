/** Packages in a bundle of the build, and their licenses, which must ship with it. */

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface BundledPackage {
  readonly name: string;
  /** Field `license` of the package's package.json, such as `MIT`. */
  readonly license: string;
  readonly text: string;
}

/**
 * Finds the packages of a bundle's files, by name.
 * @param folder absolute; the bundler's paths are relative to it
 */
export async function bundledPackages({ inputs }: Metafile, folder: string): Promise<BundledPackage[]> {
  const roots = new Set(
    Object.keys(inputs).flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []),
  );
  const packages = await Promise.all(Array.from(roots, (root) => packageAt(join(folder, root))));
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function formatLicenses(packages: readonly BundledPackage[]): string {
  return packages.map(({ name, text }) => `${name}\n\n${text.trim()}\n`).join('\n\n');
}

async function packageAt(root: string): Promise<BundledPackage> {
  const { name, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as BundledPackage;
  const file = (await readdir(root)).find((entry) => /^licen[cs]e/i.test(entry));
  return { name, license, text: file === undefined ? '' : await readFile(join(root, file), 'utf8') };
}
