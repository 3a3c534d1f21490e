/** Formats values as pydantic's errors do: as the repr, or the first 25 and the last 24 bytes of a long one. */

import { repr, type PyValue } from '../python/index.ts';

const MAX_BYTES = 50;
const FIRST = 25;
const LAST = 24;

export function formatInput(value: PyValue): string {
  const shown = repr(value);
  if (shown.length <= MAX_BYTES / 3) return shown;
  const characters = Array.from(shown);
  if (characters.reduce((bytes, character) => bytes + utf8Length(character), 0) <= MAX_BYTES) return shown;
  const end = wholeWithin(characters, FIRST);
  const start = wholeWithin(characters.toReversed(), LAST);
  return `${characters.slice(0, end).join('')}...${characters.slice(characters.length - start).join('')}`;
}

/** Returns the number of first characters that fit into `bytes` bytes. */
function wholeWithin(characters: readonly string[], bytes: number): number {
  let taken = 0;
  let left = bytes;
  for (const character of characters) {
    left -= utf8Length(character);
    if (left < 0) break;
    taken++;
  }
  return taken;
}

/** Returns the length in UTF-8. Workflow code, which uses this module, has no TextEncoder in its types. */
function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
