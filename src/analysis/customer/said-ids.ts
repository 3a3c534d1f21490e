/** The ids that a customer says. */

import type { IdShapes } from './id-shapes.ts';

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const TOKEN = /#?[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
/** What announces an id: "the confirmation code is", "ID:", "number #". */
const CUE = /\b(?:id|ids|number|code|reference)(?:\s+(?:is|was|would be))?\s*[:=]?\s*["'`*(]*$/i;
/** Numbers that are announced as numbers and are none of these: "phone number is", "the number of bags is". */
const NO_CUE = /\b(?:phone|zip|postal|apartment|suite|house|room|seat|promo|of)\b[^.?!]{0,24}$/i;

/** In the order in which they are said, as they are said, each once. */
export function saidIds(text: string, shapes: IdShapes): string[] {
  const plain = text.replace(EMAIL, ' ');
  const ids = Array.from(plain.matchAll(TOKEN))
    .filter(({ 0: token, index }) => {
      const before = plain.slice(0, index);
      const cue = CUE.test(before) && !NO_CUE.test(before);
      return shapes.isIdLike(token, cue) || (cue && isAnnounced(token));
    })
    .map(([token]) => token);
  return Array.from(new Set(ids));
}

export function emailsIn(text: string): string[] {
  return Array.from(text.matchAll(EMAIL), ([email]) => email.replace(/\.$/, ''));
}

/** What is said to be an id is one even if no id of the pack is written so. */
function isAnnounced(token: string): boolean {
  return token.length >= 5 && /\d/.test(token) && !/^\d{4}-\d\d-\d\d$/.test(token);
}
