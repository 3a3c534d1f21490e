/** The ids that a customer says. */

import type { IdShapes } from './id-shapes.ts';

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const TOKEN = /#?[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
/** What announces an id: "the confirmation code is", "ID:", "number #". */
const CUE = /\b(?:id|ids|number|code|reference)(?:\s+(?:is|was|would be))?(?:\s*[:=])?\s*["'`*(]*$/i;
/** Numbers that are announced as numbers and are none of these: "phone number is", "the number of bags is". */
const NO_CUE = /\b(?:phone|zip|postal|apartment|suite|house|room|seat|promo|of)\b[^.?!]{0,24}$/i;

/** Characters before an id among which what announces it is looked for. */
const CUE_CHARS = 100;
/** Longer ids and addresses are none: an e-mail address has at most 254 characters. */
const LONGEST = 254;
/** In one turn. Each is looked for in the whole conversation; nobody who plays a user says so many. */
const MOST = 100;

/** In the order in which they are said, as they are said, each once; the first {@link MOST}. */
export function saidIds(text: string, shapes: IdShapes): string[] {
  const plain = text.replace(EMAIL, ' ');
  const ids = new Set<string>();
  for (const { 0: token, index } of plain.matchAll(TOKEN)) {
    if (ids.size === MOST) break;
    if (token.length > LONGEST) continue;
    const before = plain.slice(Math.max(0, index - CUE_CHARS), index);
    const cue = CUE.test(before) && !NO_CUE.test(before);
    if (shapes.isIdLike(token, cue) || (cue && isAnnounced(token))) ids.add(token);
  }
  return Array.from(ids);
}

export function emailsIn(text: string): string[] {
  return Array.from(text.matchAll(EMAIL), ([email]) => email.replace(/\.$/, '')).filter(
    ({ length }) => length <= LONGEST,
  );
}

/** What is said to be an id is one even if no id of the pack is written so. */
function isAnnounced(token: string): boolean {
  return token.length >= 5 && /\d/.test(token) && !/^\d{4}-\d\d-\d\d$/.test(token);
}
