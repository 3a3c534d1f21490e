/** Strings as Python has them: sequences of code points. */

import { isPrintable } from './printable.ts';

/** Orders strings by code point, as Python's `<` does; JavaScript's orders by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  // Inside a surrogate pair the pair decides, not its second half.
  if (at > 0 && isHigh(a.charCodeAt(at - 1)) && (isLow(a.charCodeAt(at)) || isLow(b.charCodeAt(at)))) at--;
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * `str.lower()`: full case mapping, the final sigma included, which JavaScript does alike. To Python 3.11 the
 * characters that came after Unicode 14.0 are none: they stay as they are, and words end at them.
 */
export function lower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (isNewer(char)) {
      result += text.slice(from, at).toLowerCase() + char;
      from = at + char.length;
    }
    at += char.length;
  }
  return result + text.slice(from).toLowerCase();
}

const ASCII = /^[\0-\x7f]*$/;

/** Returns true if the running JavaScript knows a character that Unicode 14.0 does not have. */
function isNewer(char: string): boolean {
  return !isPrintable(char.codePointAt(0) ?? 0) && VISIBLE.test(char);
}

/** Printable characters, and the controls of hieroglyphs, of which Unicode 15.0 has more. */
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}\u{13439}-\u{1343f}]/u;

/** `str.strip()`. Python's white space has U+001C–U+001F and U+0085, and not U+FEFF. */
export function strip(text: string): string {
  return text.replace(LEADING_SPACE, '').replace(TRAILING_SPACE, '');
}

const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
// The look-behind keeps long inner runs of spaces from being tried again from each of their positions.
const TRAILING_SPACE = new RegExp(`(?<!${SPACE})${SPACE}+$`);
