/** Ids that a pack's tables refer to and that are not there. */

import { join } from 'node:path';
import { domains, jsonPath } from '../benchmark/index.ts';
import { tableFile } from './domains.ts';
import type { Pack } from './types.ts';

/** One sentence a stray id; a domain need not know what its ids refer to. */
export function tableWarnings(folder: string, pack: Pack): string[] {
  const strays = domains.get(pack.domain)?.strayIds?.(pack.tables) ?? [];
  return strays.map(({ table, path, id, target }) => {
    const spelt = id === undefined ? 'no text' : JSON.stringify(id);
    return `${join(folder, tableFile(table))}: ${jsonPath([...path])} is ${spelt}, which is not in ${target}.`;
  });
}
