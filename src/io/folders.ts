/**
 * Makes folders, as `mkdir -p` does. Node's recursive `mkdir` never returns on file systems such as `/proc`, which
 * answer "no such file" when a folder is made in an existing one, so this module makes one folder after the other.
 */

import { statSync, type Stats } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorCode, instead } from '../errors/index.ts';

/**
 * @param mode permissions of the new folders, before the process's mask. @default 0o777
 * @returns the new folders, each after the one that contains it
 * @throws the operating system's error; with code `ENOTSUP` where no folder can be made
 */
export async function makeFolders(folder: string, mode = 0o777): Promise<string[]> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await exists(path)); path = dirname(path)) missing.push(path);
  const made: string[] = [];
  for (const path of missing.reverse()) if (await makeFolder(path, mode)) made.push(path);
  return made;
}

/** @returns false when there is a folder of that name already, which another process may just have made */
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

/** False also where there is nothing, or no access. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/**
 * Reads a file's stats synchronously, which is faster for hundreds of files. Undefined where there is nothing, or no
 * access.
 */
export function findStats(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
