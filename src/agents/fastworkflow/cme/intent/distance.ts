/** How far a mistyped word is from a name. */

import leven from 'leven';

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
