/**
 * Creates folders like `mkdir -p`. Node's recursive `mkdir` never returns on file systems such as `/proc`, which answer
 * "no such file" when a folder is made in an existing one, so this module creates the folders one by one.
 */

import { statSync, type Stats } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorCode, instead } from '../errors/index.ts';

/**
 * @param mode permissions of the new folders, before the process's mask. @default 0o777
 * @returns the new folders, each after the one that contains it
 * @throws the operating system's error; with code `ENOTSUP` if no folder can be created
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<string[]> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await exists(path)); path = dirname(path)) missing.push(path);
  const made: string[] = [];
  for (const path of missing.reverse()) if (await makeFolder(path, mode)) made.push(path);
  return made;
}

/** @returns false if a folder of that name already exists, which another process may just have created */
async function makeFolder(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (code !== 'ENOENT' || !(await exists(dirname(path)))) throw error;
    throw Object.assign(new Error(`no folder can be made at ${path}`, { cause: error }), { code: 'ENOTSUP' });
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, instead(false, 'ENOENT'));
}

/** True for a folder; false if there is nothing, or no access. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/**
 * Reads a file's stats synchronously, which is faster for hundreds of files. Undefined if there is nothing, or no
 * access.
 */
export function findStats(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
