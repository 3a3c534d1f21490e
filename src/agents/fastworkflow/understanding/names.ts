/**
 * Recognizes a command by its name: written in full, abbreviated to its beginning, or mistyped; and the workflow's own
 * commands about commands.
 *
 * Only the first token counts, so parameters never take part. FastWorkflow compares the whole text and takes any one of
 * several names that match; here all of them count.
 */

import leven from 'leven';
import type { Catalogue } from '../catalogue/definitions.ts';
import { isStopWord } from './ranking.ts';
import type { HandledAnswer } from './types.ts';

/** Letters that a beginning needs. */
const SHORTEST_PREFIX = 3;
/** Edits per letter up to which a token counts as mistyped. */
const FARTHEST = 0.3;

interface NameMatch {
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
function nearest(names: readonly string[], token: string): readonly string[] {
  const distances = names.map((name) => editDistance(token, name.toLowerCase(), FARTHEST));
  const least = Math.min(...distances);
  return least <= FARTHEST ? names.filter((_, i) => distances[i] === least) : [];
}

/**
 * Edits (a letter added, left out or replaced) per letter of the longer text: 0 for equal texts, 1 for those without
 * anything in common.
 *
 * @param most a distance above it need not be exact: it is reported as 1
 */
export function editDistance(a: string, b: string, most = 1): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  // What lengths tell already is not worth a comparison: a token may be as long as a reply.
  if (Math.abs(a.length - b.length) / longer > most) return 1;
  const distance = leven(a, b) / longer;
  return distance > most ? 1 : distance;
}

/** Commands about commands: the workflow answers them itself, without the environment. */
const ANSWERS: Readonly<Record<string, HandledAnswer>> = {
  what_can_i_do: { kind: 'catalogue' },
  intent_misunderstood: { kind: 'catalogue' },
  abort: { kind: 'text', text: 'command aborted' },
};

interface CoreAnswer {
  readonly name: string;
  readonly answer: HandledAnswer;
}

/**
 * Knows a core command by its exact name, or by a text of the same words: `What can I do?`.
 * @returns null for anything else
 */
export function coreAnswer({ core }: Catalogue, text: string, token: string): CoreAnswer | null {
  const spoken = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  for (const name of [token, spoken]) {
    const own = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
    if (own !== undefined) return { name, answer: own };
    const offered = core.find((command) => command.name === name);
    if (offered !== undefined) return { name, answer: { kind: 'text', text: offered.answer } };
  }
  return null;
}
