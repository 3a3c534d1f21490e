/** Data and tasks of τ³-bench's domains, from the folder that only some machines have. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Tables } from '../../../src/benchmarks/testing.ts';
import { readToml, type Tau3Domain } from '../../../src/benchmarks/tau3/testing.ts';
import { parseJson, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { tau3Domains } from '../../../src/benchmarks/tau3/index.ts';
import { dict, field, items, text } from '../helpers.ts';

export interface Tau3Data {
  readonly domain: Tau3Domain;
  readonly data: Tables;
  /** Tasks by their ids. */
  readonly tasks: ReadonlyMap<string, PyDict>;
}

/** @param name `retail`, `airline` or `telecom` */
export function readTau3(dir: string, name: string): Tau3Data {
  const domain = tau3Domains.get(`tau3-${name}`);
  if (domain === undefined) throw new Error(`no domain tau3-${name}`);
  const read = (file: string) => readFileSync(join(dir, name, file), 'utf8');
  const files = name === 'telecom' ? ['tasks_small.json', 'tasks-base.json'] : ['tasks.json'];
  const tasks = files.flatMap((file) => items(parseJson(read(file)))).map((task) => task as PyDict);
  const tables = domain.load(
    name === 'telecom'
      ? { 'db.toml': readToml(read('db.toml')), 'user_db.toml': readToml(read('user_db.toml')) }
      : { 'db.json': parseJson(read('db.json')) },
  );
  return { domain, data: { tables }, tasks: new Map(tasks.map((task) => [text(field(task, 'id')), task])) };
}

/** The lines of a recording, none where the folder has no such file. @param path within the folder */
export function readLines(dir: string, path: string): PyDict[] {
  const file = join(dir, path);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(dict) : [];
}
