/**
 * The normal form under which a clarified utterance is remembered: another order's id, or another amount, is the same
 * request. FastWorkflow compares embeddings instead, and keeps them on disk for all sessions.
 */

/** Stands for whatever has a digit in it, or is an e-mail address. */
const MASK = '<id>';

/** Lower case, single spaces, ids and numbers masked. A normal form's normal form is itself. */
export function normaliseUtterance(utterance: string): string {
  return utterance
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => (/\d|@/.test(token) ? MASK : withoutSigns(token)))
    .filter((token) => token !== '')
    .join(' ');
}

/** Loses opening signs at the beginning and closing signs at the end, in time linear in the token's length. */
function withoutSigns(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && OPENING.includes(token.charAt(start))) start++;
  while (start < end && CLOSING.includes(token.charAt(end - 1))) end--;
  return token.slice(start, end);
}

const OPENING = '("\'`';
const CLOSING = ')"\'`.,;:!?';
