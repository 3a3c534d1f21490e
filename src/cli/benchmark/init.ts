/** Writes a benchmark's folder: the example of the package under another name. */

import { existsSync } from 'node:fs';
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError, instead } from '../../errors/index.ts';
import { version } from '../../host/surroundings.ts';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** @param folder absolute path @returns the name of the benchmark @throws UsageError for a folder that has files */
export async function initBenchmark(folder: string): Promise<string> {
  const name = basename(folder);
  if (!NAME.test(name)) {
    throw new UsageError(`${name} is no name of a benchmark; use small letters, digits and "-", such as my-benchmark.`);
  }
  const present = await readdir(folder).catch(instead<string[]>([], 'ENOENT'));
  if (present.length > 0) throw new UsageError(`${folder} is not empty; give a new folder.`);
  const program = packageRoot();
  await cp(join(program, 'examples/benchmark'), folder, { recursive: true });
  for (const file of ['benchmark.ts', 'package.json']) {
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('my-benchmark', name);
    await writeFile(join(folder, file), text.replace('"tauflow": "*"', formatDependency(program, folder)));
  }
  return name;
}

/** Returns the folder of the program's package. This file is three folders below it, or four when it is compiled. */
function packageRoot(): string {
  const candidates = ['../../..', '../../../..'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const root = candidates.find((path) => existsSync(join(path, 'package.json')));
  if (root === undefined) throw new Error('the package.json of tauflow is missing; install it again');
  return root;
}

/** Returns the dependency on this program: the version of an installed package, or the folder of a checkout. */
function formatDependency(program: string, folder: string): string {
  const isInstalled = /[\\/]node_modules[\\/]/.test(program);
  return `"tauflow": ${JSON.stringify(isInstalled ? version : `file:${relative(folder, program)}`)}`;
}
