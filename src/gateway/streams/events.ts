/** Server-sent events of a reply that is there as a whole. */

export type Fields = Readonly<Record<string, unknown>>;

/** The reply's fields; null for what is no JSON object. */
export function parseReply(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects of a list; none of anything else. */
export function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** An event that is named as its data's type is. */
export function namedEvent(data: Fields & { readonly type: string }): string {
  return `event: ${data.type}\n${dataEvent(data)}`;
}
