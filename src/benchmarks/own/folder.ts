/** Finds the files of a benchmark's folder, limits their size, and computes their digest. */

import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError, describeUnreadable, firstLine } from '../../errors/index.ts';
import { decodeText } from '../../io/index.ts';

const MOST_FILES = 2_000;
const MOST_BYTES = 50_000_000;

/** File names of the definition; the first existing one is used. */
const DEFINITIONS = ['benchmark.ts', 'benchmark.mts', 'benchmark.js', 'benchmark.mjs'];

/** Folders that do not belong to a benchmark: packages, and the results of runs. */
const SKIPPED = new Set(['node_modules', 'results']);

export interface BenchmarkFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Name of the file with the definition. */
  readonly definition: string;
  /** Texts of the files in `data`, `tasks` and the folder itself, by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** sha256 of all files' names and bytes, lower-case hex. */
  readonly digest: string;
}

/** @param path absolute @throws UsageError with one sentence */
export async function readBenchmarkFolder(path: string): Promise<BenchmarkFolder> {
  const names = await listFiles(path, '');
  const definition = DEFINITIONS.find((name) => names.includes(name));
  if (definition === undefined) {
    throw new UsageError(
      `${path} has no benchmark.ts; make a folder that has one with \`npx tauflow benchmark init ${basename(path)}\`.`,
    );
  }
  const hash = createHash('sha256');
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const name of names) {
    const content = await readFile(join(path, name));
    bytes += content.length;
    if (bytes > MOST_BYTES)
      throw new UsageError(`${path} has more than ${MOST_BYTES / 1_000_000} MB; remove what no task needs.`);
    hash.update(`${name}\0${content.length}\0`).update(content);
    if (/^(?:data\/[^/]+\.json|policy\.md|tasks\.ya?ml|tasks\/[^/]+\.ya?ml)$/.test(name)) {
      texts.set(name, decodeText(content));
    }
  }
  return { path, definition, texts, digest: hash.digest('hex') };
}

/** Returns names relative to the folder, sorted, without hidden ones. */
async function listFiles(root: string, under: string): Promise<string[]> {
  const entries = await readdir(join(root, under), { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`the benchmark's folder ${join(root, under)} ${describeUnreadable(error)} on this machine.`, {
      cause: error,
    });
  });
  const names: string[] = [];
  for (const entry of entries) {
    const name = under === '' ? entry.name : `${under}/${entry.name}`;
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory()) names.push(...(await listFiles(root, name)));
    else if (entry.isFile()) names.push(name);
    if (names.length > MOST_FILES)
      throw new UsageError(`${root} has more than ${MOST_FILES} files; remove what no task needs.`);
  }
  return names.sort();
}

/** Reads `data/*.json` as one state, each file under its name. @throws UsageError */
export function readData({ path, texts }: BenchmarkFolder): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [name, text] of texts) {
    if (!name.startsWith('data/')) continue;
    try {
      state[basename(name, '.json')] = JSON.parse(text);
    } catch (error) {
      throw new UsageError(`${join(path, name)} is no JSON: ${firstLine(error)}.`, { cause: error });
    }
  }
  return state;
}
