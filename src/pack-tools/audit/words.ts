/** Looking for a word in a text: as a word of its own, or inside a longer one. */

import { lower } from '../../benchmark/python/index.ts';

/** As the grader reads what an agent says: lower case, without commas. */
export function asGraded(text: string): string {
  return lower(text).replaceAll(',', '');
}

/** A word's first character continues a word, or a number as `2` does in `1.2`; likewise its last. */
const JOINED_BEFORE = /[\p{L}\p{N}][\p{L}\p{N}]$|\d[.]\d$/u;
const JOINED_AFTER = /^[\p{L}\p{N}][\p{L}\p{N}]|^\d[.]\d/u;

/** Whether the text has the word with a border on both sides. Both are compared as they are. */
export function hasWord(text: string, word: string): boolean {
  return occurrences(text, word).some(({ joined }) => !joined);
}

/** The longer words of the text that the word is a part of. */
export function longerWords(text: string, word: string): string[] {
  return occurrences(text, word).flatMap(({ joined, at }) => (joined ? [wordAround(text, at, word.length)] : []));
}

function occurrences(text: string, word: string): { at: number; joined: boolean }[] {
  const found: { at: number; joined: boolean }[] = [];
  if (word === '') return found;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const before = text.slice(Math.max(0, at - 2), at) + word.charAt(0);
    const after = word.slice(-1) + text.slice(end, end + 2);
    found.push({ at, joined: JOINED_BEFORE.test(before) || JOINED_AFTER.test(after) });
  }
  return found;
}

function wordAround(text: string, at: number, length: number): string {
  let start = at;
  let end = at + length;
  while (start > 0 && /[\p{L}\p{N}._]/u.test(text.charAt(start - 1))) start--;
  while (end < text.length && /[\p{L}\p{N}._]/u.test(text.charAt(end))) end++;
  return text.slice(start, end);
}
