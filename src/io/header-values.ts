/**
 * Values of request headers from the environment, mostly keys. A value with a character that is invalid in a header, or
 * with a word copied along with a key, is refused before anything starts. The message names the position, never the
 * value.
 */

/** Returns a variable's value without white space around it; undefined if nothing is left. */
export function environmentSetting(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Returns the problem of a variable that is invalid as a header, as a sentence without the value; null if there is
 * none.
 * @param kind a key is one word; other values may have spaces
 */
export function findHeaderProblem(
  env: NodeJS.ProcessEnv,
  variable: string,
  kind: 'key' | 'text' = 'key',
): string | null {
  const value = environmentSetting(env, variable);
  if (value === undefined) return null;
  const alone = `; set it to the ${kind} alone`;
  // Positions are those in the variable as it is set.
  const before = (env[variable] ?? '').indexOf(value);
  const prefix = kind === 'key' ? findPrefix(value, variable) : null;
  if (prefix !== null) return `${variable} begins with ${prefix} at character ${before + 1}${alone}`;
  const characters = [...value];
  const at = characters.findIndex((character) => !(kind === 'key' ? KEY_CHARACTER : TEXT_CHARACTER).test(character));
  const found = characters[at];
  return found === undefined
    ? null
    : `${variable} has ${describeCharacter(found)} at character ${before + at + 1}${alone}`;
}

/** Returns a word that was copied along with a key; null if there is none. */
function findPrefix(value: string, variable: string): string | null {
  if (/^bearer\s/i.test(value)) return '"Bearer", which is added by itself,';
  if (value.startsWith(`${variable}=`)) return "the variable's name";
  return /^["'`]/.test(value) ? 'a quotation mark' : null;
}

const KEY_CHARACTER = /^[\x21-\x7e]$/;
const TEXT_CHARACTER = /^[\t\x20-\x7e]$/;

const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^[\n\r\u2028\u2029]$/, 'a line break'],
  [/^[\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb]$/, 'a curly quotation mark'],
  [/^[\u2010-\u2015\u2212]$/, 'a dash that is no hyphen'],
  [/^[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u202a-\u202e]$/, 'an invisible character'],
  [/^\s$/, 'a space'],
  [/^\p{Cc}$/u, 'a control character'],
];

function describeCharacter(character: string): string {
  const name = NAMES.find(([pattern]) => pattern.test(character))?.[1] ?? 'a character that no key has';
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${name} (U+${code})`;
}
