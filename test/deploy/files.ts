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
  return parseDocuments(readText(path));
}

/** Every YAML document of a text. */
export function parseDocuments(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS() as unknown;
  });
}
