/** The repository's deployment files, read as what they are. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readYaml(path: string): unknown {
  return parse(readText(path), { merge: true });
}

/** Every document of a file, in its order. */
export function readDocuments(path: string): unknown[] {
  return parseAllDocuments(readText(path)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0] ?? new Error(path);
    return document.toJS() as unknown;
  });
}
