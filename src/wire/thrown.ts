/** What was thrown, for a person. Code from outside throws anything: plain objects, texts, nothing. Pure. */

/** An object's JSON is cut to this many characters. */
const MOST_CHARS = 300;

/** `TypeError: x is not a function` of an error, the message of what has one, else the JSON. Never throws. */
export function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    if (isError(value)) return String(value);
    if ('message' in value && typeof value.message === 'string' && value.message !== '') return value.message;
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) return json.length > MOST_CHARS ? `${json.slice(0, MOST_CHARS)}…` : json;
  } catch {
    // A cycle, a BigInt, or a getter that throws: its kind is all that can be told.
  }
  return 'an object that has no JSON form';
}

/** Also an error of another realm, which `instanceof` does not know. */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
