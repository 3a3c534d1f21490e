/** Pack folders to spoil: copies of a small generated pack in the system's temporary folder. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  generatePack,
  type GeneratedPack,
  type GenerateOptions,
} from '../../../packages/task-generator/src/testing.ts';
import { getContent } from '../../../src/benchmarks/contents.ts';
import { writePack, type Pack } from '../../../src/benchmarks/testing.ts';

export const SMALL = { seed: 7, tasks: 6, devTasks: 2, customers: 8 } as const satisfies GenerateOptions;

/** An empty folder that is gone after the test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-packs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a small pack in it, called `retail`, with or without its manifest. */
export async function smallPack(manifest: 'with-manifest' | 'without-manifest' = 'without-manifest'): Promise<string> {
  const folder = join(await scratchFolder(), 'retail');
  await writePack(folder, generatePack(SMALL));
  if (manifest === 'without-manifest') await rm(join(folder, 'pack.json'));
  return folder;
}

/** Rewrites a JSON file of the pack. Numbers may change their spelling. */
export async function editJson<T>(folder: string, file: string, edit: (value: T) => unknown): Promise<void> {
  const path = join(folder, file);
  const value = JSON.parse(await readFile(path, 'utf8')) as T;
  await writeFile(path, JSON.stringify(edit(value) ?? value));
}

/** A generated pack as if it had been read from a folder. */
export function inMemory(generated: GeneratedPack): Pack {
  const files = new Map(Array.from(generated.files, ([name, text]) => [name, Buffer.from(text)]));
  return getContent(generated.manifest.domain).assemble('/memory', generated.manifest, files);
}

/** The message of what a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'no rejection';
}
