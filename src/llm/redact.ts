/**
 * Keeps keys out of what people and histories get to see. Providers quote keys in their error messages, in part or
 * whole, and a proxy may echo request headers.
 */

export type Redact = (text: string) => string;

const REDACTED = '[redacted]';

/** Below this length a "key" is a placeholder such as `EMPTY` or `ollama`, and an ordinary word to a model. */
const SHORTEST_SECRET = 12;

/** What looks like a key whoever it belongs to; the first group, if any, stays. */
const KEY_SHAPES: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/=*-]{6,}/gi,
  /(\bapi[ _-]?key(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
  /()\bsk-[\w*.-]{5,}/g,
];

/** Removes the given keys, however encoded, and nothing else. For texts that must otherwise stay as they are. */
export function createKeyRemover(keys: readonly (string | null)[]): Redact {
  const spellings = keys
    .filter((key): key is string => key !== null && key.length >= SHORTEST_SECRET)
    .flatMap((key) => [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')])
    .sort((a, b) => b.length - a.length);
  return (text) => spellings.reduce((clean, spelling) => clean.split(spelling).join(REDACTED), text);
}

/** Removes the given keys and everything that has a key's shape. For messages of errors and logs. */
export function createRedactor(keys: readonly (string | null)[]): Redact {
  const removeKeys = createKeyRemover(keys);
  return (text) => KEY_SHAPES.reduce((clean, shape) => clean.replace(shape, `$1${REDACTED}`), removeKeys(text));
}
