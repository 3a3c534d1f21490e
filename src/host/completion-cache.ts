/** The folder of this machine's completion cache, and its size limit. */

import { join } from 'node:path';
import { UsageError } from '../errors/index.ts';
import { DEFAULT_MAX_BYTES } from '../models/index.ts';
import type { Surroundings } from './surroundings.ts';

interface CachePlace {
  /** Absolute path of the folder, which may not exist yet. */
  readonly folder: string;
  /** Maximum size of all completions, in bytes. */
  readonly maxBytes: number;
}

const UNITS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** @throws UsageError if `TAUFLOW_CACHE_BYTES` is not a number of bytes */
export function cachePlace({ home, env }: Pick<Surroundings, 'home' | 'env'>): CachePlace {
  return { folder: join(home, 'completions'), maxBytes: parseBytes(env['TAUFLOW_CACHE_BYTES'] ?? '') };
}

/** Parses a size: `1073741824`, `500M`, `2GiB`, `1.5 gb`. All units are powers of 1024. */
function parseBytes(text: string): number {
  if (text.trim() === '') return DEFAULT_MAX_BYTES;
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?)?$/i.exec(text.trim()) ?? [];
  const bytes = Math.floor(Number(number) * (unit === undefined ? 1 : (UNITS[unit.toLowerCase()] ?? NaN)));
  if (bytes > 0) return bytes;
  throw new UsageError(
    `TAUFLOW_CACHE_BYTES must be a number of bytes such as 1073741824, 500M or 2G, not ${JSON.stringify(text)}.`,
  );
}
