/**
 * Makes folders, as `mkdir -p` does. Node's own recursive `mkdir` never returns where the file system answers "no such
 * file" to the making of a folder in one that exists (`/proc` does), so this one goes down step by step.
 */

import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * @param mode permissions of the folders that are made, before the process's mask. @default 0o777
 * @returns the folders that were not there before, each after the one it is in
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
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return false;
    if (code !== 'ENOENT' || !(await exists(dirname(path)))) throw error;
    throw Object.assign(new Error(`no folder can be made at ${path}`, { cause: error }), { code: 'ENOTSUP' });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
