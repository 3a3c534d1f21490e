/**
 * Removes halves of surrogate pairs from JSON, because many providers refuse them. A model writes one if its reply was
 * cut within a character. Without this, every later request of the conversation would be refused.
 */

const HALF = /\\u[dD][89a-fA-F]/;
/** Matches an escape, or two escapes that form a pair, which count as one character. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/gs;

/**
 * Replaces each unpaired half, written out or escaped, by U+FFFD, as Python's and Node's decoders do; nothing else
 * changes.
 */
export function withoutHalves(json: string): string {
  const text = json.replace(/\p{Surrogate}/gu, '\uFFFD');
  if (!HALF.test(text)) return text;
  return text.replace(ESCAPE, (escape) => (escape.length === 6 && HALF.test(escape) ? String.raw`\ufffd` : escape));
}
