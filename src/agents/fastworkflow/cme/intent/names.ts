/**
 * Recognises a command by its name: written in full, begun, or mistyped.
 *
 * Only the first token counts, so parameters never take part. FastWorkflow compares the whole text and takes any one
 * of several names that match; here several are several.
 */

import type { Catalogue } from '../../catalogue/types.ts';
import { editDistance } from './distance.ts';
import { isStopWord } from './words.ts';

/** Letters that a beginning needs. */
const SHORTEST_PREFIX = 3;
/** Edits per letter up to which a token counts as mistyped. */
const FARTHEST = 0.3;

export interface NameMatch {
  readonly tier: 'exact' | 'prefix' | 'fuzzy';
  /** Command names in the catalogue's order; several when none of them is nearer than the others. */
  readonly names: readonly string[];
}

/**
 * @param token the command's first token, in lower case
 * @returns null when it is nowhere near a name
 */
export function matchName({ commands, find }: Catalogue, token: string): NameMatch | null {
  const exact = find(token);
  if (exact !== undefined) return { tier: 'exact', names: [exact.name] };
  const names = commands.map((command) => command.name);
  // `can you …` does not begin to say `cancel_…`.
  if (token.length >= SHORTEST_PREFIX && !isStopWord(token)) {
    const begun = names.filter((name) => name.toLowerCase().startsWith(token));
    if (begun.length > 0) return { tier: 'prefix', names: begun };
  }
  const near = nearest(names, token);
  return near.length > 0 ? { tier: 'fuzzy', names: near } : null;
}

/** The names that a token may be a mistyped form of: all that are equally near. */
export function nearest(names: readonly string[], token: string): readonly string[] {
  const distances = names.map((name) => editDistance(token, name.toLowerCase(), FARTHEST));
  const least = Math.min(...distances);
  return least <= FARTHEST ? names.filter((_, i) => distances[i] === least) : [];
}
