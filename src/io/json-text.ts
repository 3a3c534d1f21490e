/**
 * Splits JSON text without changing how any part is written: numbers keep their spelling, objects the order of their
 * keys. The text must be valid JSON; the time is linear.
 */

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of a JSON object; null for any other text. */
export function jsonObject(text: string): Fields | null {
  const value = parsedJson(text);
  return isObject(value) ? value : null;
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface JsonMember {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the members of an object in order; of several members with the same name only the last, as in any JSON
 * reader.
 * @param text JSON
 */
export function jsonMembers(text: string): JsonMember[] {
  const members = new Map<string, string>();
  for (const part of splitParts(text)) {
    const end = endOfString(part, part.indexOf('"'));
    const name = JSON.parse(part.slice(0, end + 1)) as string;
    members.delete(name);
    members.set(name, part.slice(part.indexOf(':', end) + 1).trim());
  }
  return Array.from(members, ([name, value]) => ({ name, value }));
}

/** Returns a member's JSON text. @param object JSON */
export function jsonMember(object: string, name: string): string | undefined {
  return jsonMembers(object).find((member) => member.name === name)?.value;
}

/** Writes members as an object, the inverse of {@link jsonMembers}. */
export function writeJsonMembers(members: readonly JsonMember[]): string {
  return `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** Returns the elements of a list, each as JSON text. @param text JSON */
export function jsonElements(text: string): string[] {
  return splitParts(text).map((part) => part.trim());
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Returns the texts between the commas of the outermost list or object. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if (CLOSING.has(code)) {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(from, at));
    } else if (code === COMMA && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return parts.length === 1 && parts[0]?.trim() === '' ? [] : parts;
}

/** Returns the index of the closing quote. @param start index of the opening one */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  throw new SyntaxError('a string without an end');
}

/** Texts that models and gateways write for no arguments; PHP writes an empty object as an empty list. */
const NO_ARGUMENTS: ReadonlySet<string> = new Set(['', 'null', 'None', 'undefined', '""', '"null"', '"{}"', '[]']);

/**
 * Returns true for a text that means no arguments, like `{}`. The reference fails on all of these texts, but never
 * because of the tool.
 */
export function meansNoArguments(text: string): boolean {
  return NO_ARGUMENTS.has(text.trim());
}
