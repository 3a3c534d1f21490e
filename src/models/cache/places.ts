/**
 * Where completions lie: `<folder>/<shelf>/<first two digits of the key>/<key>.json`. A shelf holds what one model said
 * in one configuration, and its name tells both, so that completions are counted and forgotten without being read.
 */

import { join } from 'node:path';

export interface Shelf {
  /** As {@link configurationDigest} makes it. */
  readonly configuration: string;
  readonly provider: string;
  readonly model: string;
}

/** File names have 255 characters at most on most systems, and a shelf's has a digest and two names. */
const MAX_NAME_CHARS = 110;

const SHELF_NAME = /^([0-9a-f]{16})\.([^.]+)\.(.+)$/;

/** The name of a shelf's folder: `0123456789abcdef.openai.gpt-4o`. A very long name loses its end. */
export function shelfName({ configuration, provider, model }: Shelf): string {
  // It comes with a task's input, and must not lead out of the cache's folder.
  return `${fileName(configuration).replaceAll('.', '%2E')}.${fileName(provider).replaceAll('.', '%2E')}.${fileName(model)}`;
}

/** The shelf of that name; null for a folder that is none. */
export function shelfOf(name: string): Shelf | null {
  const [, configuration, provider, model] = SHELF_NAME.exec(name) ?? [];
  if (configuration === undefined || provider === undefined || model === undefined) return null;
  return { configuration, provider: textOf(provider), model: textOf(model) };
}

/** Folder of an entry, within that of its shelf. */
export function binName(key: string): string {
  return key.slice(0, 2);
}

export const BIN_NAME = /^[0-9a-f]{2}$/;
export const ENTRY_NAME = /^[0-9a-f]{64}\.json$/;
/** A part of an entry that a killed process left behind, as earlier versions of this program named it. */
export const REMAINS_NAME = /^[0-9a-f]{64}\.json\.\d+$/;

export function entryPath(folder: string, shelf: Shelf, key: string): string {
  return join(folder, shelfName(shelf), binName(key), `${key}.json`);
}

/** Any text as part of a file name that every system takes; {@link textOf} is the way back. */
function fileName(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('*', '%2A');
  return encoded.slice(0, MAX_NAME_CHARS).replace(/\.$/, '%2E');
}

function textOf(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Cut within a character.
    return name;
  }
}
