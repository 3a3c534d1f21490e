/** Everything that a value, a history or a folder says, as text: for tests that look for what must not be there. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every text in a value, names and the bytes of payloads included. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${textOf(part)}`)
    .join('\n');
}

/** Paths of all files under a folder. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The texts of all files under a folder; bytes that are no text as they can be read. */
export function textUnder(folder: string): string {
  return filesUnder(folder)
    .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
    .join('\n');
}
