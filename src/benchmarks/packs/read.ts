/**
 * Reads a domain pack: the data, texts and tasks in the files of a folder, in the form of its benchmark.
 *
 * Numbers keep their spelling and objects the order of their keys. A problem is thrown as a {@link PackError} with the
 * file and the position; a pack that was read is safe to run.
 */

import { getContent } from '../contents.ts';
import type { Task } from '../index.ts';
import { readPackFiles } from './folder.ts';
import { PackError, listWords, type Pack } from './types.ts';

/**
 * @param folder with or without a `pack.json`; if there is none, the manifest is computed
 * @throws PackError
 */
export async function readPack(folder: string): Promise<Pack> {
  const { manifest, files } = await readPackFiles(folder);
  return getContent(manifest.domain).assemble(folder, manifest, files);
}

/** @throws PackError that lists the splits */
export function tasksOfSplit(pack: Pack, split: string): readonly Task[] {
  const tasks = Object.hasOwn(pack.splits, split) ? pack.splits[split] : undefined;
  if (tasks !== undefined) return tasks;
  const names = Object.keys(pack.splits);
  throw new PackError(
    `the pack ${pack.ref.name} has no task split ${JSON.stringify(split)}; it has ${listWords(names)}.`,
  );
}
