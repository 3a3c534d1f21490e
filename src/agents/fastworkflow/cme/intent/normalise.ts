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
    .map((token) => (/\d|@/.test(token) ? MASK : token.replace(/^[("'`]+|[)"'`.,;:!?]+$/g, '')))
    .filter((token) => token !== '')
    .join(' ');
}
