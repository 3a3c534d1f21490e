/** The files of a tau-bench checkout that an import can need, read once, and which of them it used. */

import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PackError, decodeText } from '../../packs/index.ts';

/** Code that talks to models: there is no data in it, and it is most of the repository. */
const LEFT_OUT = new Set(['model_utils', '__pycache__']);
const KINDS = /\.(?:py|json|jsonl|md)$/;

export class Checkout {
  /** The folder or URL, as a person knows it. */
  readonly shown: string;
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #used = new Set<string>();

  /** @param files path in the checkout, with slashes → bytes */
  constructor(shown: string, files: ReadonlyMap<string, Buffer>) {
    this.shown = shown;
    this.#files = files;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  bytes(path: string): Buffer | undefined {
    const bytes = this.#files.get(path);
    if (bytes !== undefined) this.#used.add(path);
    return bytes;
  }

  /** @throws PackError when the file is not UTF-8 */
  text(path: string): string | undefined {
    const bytes = this.bytes(path);
    return bytes === undefined ? undefined : decodeText(path, bytes);
  }

  /** Whether these files are there and have these digests. @param digests path → sha256 */
  holds(digests: Readonly<Record<string, string>>): boolean {
    return Object.entries(digests).every(([path, digest]) => {
      const bytes = this.bytes(path);
      return bytes !== undefined && fileDigest(bytes) === digest;
    });
  }

  /** Digests of the files that were asked for so far, by path. */
  used(): Map<string, string> {
    const paths = Array.from(this.#used).sort();
    return new Map(paths.map((path) => [path, fileDigest(this.#files.get(path) ?? Buffer.alloc(0))]));
  }
}

/** sha256 in hex of a file as it is published: what a system's line ends make of it is put back. */
export function fileDigest(bytes: Buffer): string {
  const published = bytes.includes('\r\n')
    ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    : bytes;
  return createHash('sha256').update(published).digest('hex');
}

/**
 * @param shown what a person knows the checkout by. @default the folder
 * @throws PackError when the folder is no checkout, or a file cannot be read
 */
export async function readCheckout(folder: string, shown = folder): Promise<Checkout> {
  if (!(await isFolder(folder))) {
    throw new PackError(`${shown}: no such folder; give the root folder of a tau-bench checkout, or its URL.`);
  }
  if (!(await isFolder(join(folder, 'tau_bench', 'envs')))) {
    throw new PackError(`${shown}: there is no tau_bench/envs here; give the root folder of a tau-bench checkout.`);
  }
  const files = new Map<string, Buffer>();
  for (const path of [
    'LICENSE',
    ...(await pathsIn(folder, 'tau_bench')),
    ...(await pathsIn(folder, 'few_shot_data')),
  ]) {
    const bytes = await read(folder, path);
    if (bytes !== undefined) files.set(path, bytes);
  }
  return new Checkout(shown, files);
}

/** Symbolic links are not followed: a checkout has none, and what they point at is no part of it. */
async function pathsIn(root: string, folder: string): Promise<string[]> {
  if (!(await isFolder(join(root, folder)))) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : pathsIn(root, path);
      return entry.isFile() && KINDS.test(entry.name) ? [path] : [];
    }),
  );
  return paths.flat().sort();
}

async function read(root: string, path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(root, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return undefined;
    throw new PackError(`${join(root, path)}: the file cannot be read (${code}).`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
