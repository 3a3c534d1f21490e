/**
 * Finds XML tags in a text, from left to right and without those inside of others.
 *
 * Values are taken as they stand, without entity decoding: models write `A & B`, not `A &amp; B`. What only a CDATA
 * section can say (white space at the ends, a closing tag) may be said in one.
 */

/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Tag extends Range {
  readonly name: string;
  /** What stands between the tags, as written. */
  readonly inside: string;
  /** Where `inside` starts in the text. */
  readonly insideStart: number;
}

/** Tags without an end are text. */
export function scanTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const opening = /<([A-Za-z_][\w.-]*)\s*(\/?)>/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [all, name = '', slash] = match;
    const start = match.index;
    const insideStart = start + all.length;
    if (slash === '/') {
      tags.push({ name, inside: '', insideStart, start, end: insideStart });
      continue;
    }
    const closing = findClosing(text, name, insideStart);
    if (closing === null) continue;
    tags.push({ name, inside: text.slice(insideStart, closing.start), insideStart, start, end: closing.end });
    opening.lastIndex = closing.end;
  }
  return tags;
}

/** The first `</name>` that is not in a CDATA section. */
function findClosing(text: string, name: string, from: number): Range | null {
  const next = new RegExp(`<!\\[CDATA\\[|</${name.replace(/\./g, '\\.')}\\s*>`, 'g');
  next.lastIndex = from;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    if (!match[0].startsWith('<!')) return { start: match.index, end: next.lastIndex };
    const end = text.indexOf(']]>', next.lastIndex);
    if (end >= 0) next.lastIndex = end + 3;
  }
  return null;
}

const ONLY_CDATA = /^\s*(?:<!\[CDATA\[(?:(?!\]\]>)[\s\S])*\]\]>)+\s*$/;

/** What a tag's inside says: a CDATA section literally, all else without white space at the ends. */
export function readInside(inside: string): string {
  if (!ONLY_CDATA.test(inside)) return inside.trim();
  return Array.from(inside.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g), (match) => match[1] ?? '').join('');
}

/** A text as the inside of the tag `name`, from which {@link readInside} gets it back. */
export function writeInside(name: string, text: string): string {
  const isPlain = text === text.trim() && !text.includes('<![CDATA[') && !text.includes(`</${name}`);
  return isPlain ? text : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
