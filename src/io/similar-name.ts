/** Suggests corrections of mistyped names. */

import leven from 'leven';

/** Longest name for which a correction is suggested, in characters. */
const MOST_CHARS = 60;

/**
 * Returns ` (did you mean retail?)` for a name that differs from a known one in a few letters, otherwise an empty text.
 */
export function suggestName(given: string, known: Iterable<string>): string {
  if (given.length > MOST_CHARS) return '';
  const word = given.toLowerCase();
  // Two swapped letters count as two differences.
  const most = given.length < 4 ? 1 : Math.min(3, Math.max(2, Math.floor(given.length / 3)));
  const near = Array.from(known, (name) => ({ name, distance: leven(word, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return near[0] === undefined ? '' : ` (did you mean ${near[0].name}?)`;
}
