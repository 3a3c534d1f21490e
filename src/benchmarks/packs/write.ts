/** Writes a pack's folder. */

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { dumpJson } from '../python/index.ts';
import { makeFolders } from '../../io/index.ts';
import { MANIFEST_FILE, type Manifest } from './manifest.ts';
import { PackError } from './types.ts';

/** The contents of a pack's folder. */
interface PackContents {
  readonly manifest: Manifest;
  /** Contents of the files by name, without `pack.json`. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

/** Returns the text of `pack.json`. */
export function manifestText(manifest: Manifest): string {
  return `${dumpJson(manifest, { indent: 2 })}\n`;
}

export interface WriteOptions {
  /** Replaces an older pack; other folders are never replaced. @default false */
  readonly replace?: boolean;
}

/**
 * Writes a pack's folder completely or not at all.
 * @param folder is created with its parents
 * @throws PackError if the folder contains something already, or cannot be written
 */
export async function writePack(folder: string, pack: PackContents, options: WriteOptions = {}): Promise<void> {
  const target = resolve(folder);
  const present = await contents(target);
  if (present !== undefined && present.length > 0) {
    if (!present.includes(MANIFEST_FILE)) {
      throw new PackError(`${folder}: the folder is not empty and holds no pack; name another one.`);
    }
    if (options.replace !== true) throw new PackError(`${folder}: there is a pack already; name another folder.`);
  }
  let scratch: string | undefined;
  try {
    await makeFolders(dirname(target));
    scratch = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    const fresh = join(scratch, 'new');
    await mkdir(fresh);
    for (const [file, text] of pack.files) await writeFile(join(fresh, file), text);
    await writeFile(join(fresh, MANIFEST_FILE), manifestText(pack.manifest));
    if (present !== undefined) await rename(target, join(scratch, 'old'));
    await rename(fresh, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new PackError(`${folder}: the pack cannot be written here (${String(error.code)}); name another folder.`);
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns the names in a folder; undefined if there is no such folder. */
async function contents(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return undefined;
    throw new PackError(`${folder}: the folder cannot be used (${code}); name another one.`);
  }
}
