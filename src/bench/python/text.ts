/** Strings as Python has them: sequences of code points. */

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

/** `str.lower()`: full case mapping, the final sigma included, which JavaScript does alike. */
export function lower(text: string): string {
  return text.toLowerCase();
}

/** `str.strip()`. Python's white space has U+001C–U+001F and U+0085, and not U+FEFF. */
export function strip(text: string): string {
  return text.replace(LEADING_SPACE, '').replace(TRAILING_SPACE, '');
}

const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
// The look-behind keeps long inner runs of spaces from being tried again from each of their positions.
const TRAILING_SPACE = new RegExp(`(?<!${SPACE})${SPACE}+$`);
