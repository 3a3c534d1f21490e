/**
 * Finds XML tags in a text, in time linear in its length.
 *
 * Values are taken as they stand, without entity decoding: models write `A & B`, not `A &amp; B`. What only a CDATA
 * section can say (white space at the ends, a tag of the same name) may be said in one.
 */

/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Tag extends Range {
  readonly name: string;
  /** The text between the tags, as written. */
  readonly inside: string;
  /** Where `inside` starts in the text. */
  readonly insideStart: number;
}

const TOKEN = /<!\[CDATA\[|<(\/?)([A-Za-z_][\w.-]*)\s*(\/?)>/g;

/**
 * Every tag of a text, nested ones included, in the order in which they start.
 *
 * An opening tag belongs to the next closing tag of its name, unless another tag of that name opens before it: then the
 * first one was never closed, and is text. Tags in a CDATA section are text as well.
 */
export function pairTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const open = new Map<string, { readonly start: number; readonly insideStart: number }>();
  const token = new RegExp(TOKEN);
  let isCdataOver = false;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: all, 1: slash, 2: name = '', 3: selfClosing, index: start } = match;
    const end = start + all.length;
    if (all.startsWith('<!')) {
      const close = isCdataOver ? -1 : text.indexOf(']]>', end);
      if (close < 0) isCdataOver = true;
      else token.lastIndex = close + 3;
    } else if (slash === '/') {
      const opening = open.get(name);
      if (opening === undefined) continue;
      open.delete(name);
      tags.push({ name, inside: text.slice(opening.insideStart, start), ...opening, end });
    } else if (selfClosing === '/') {
      tags.push({ name, inside: '', insideStart: end, start, end });
    } else {
      open.set(name, { start, insideStart: end });
    }
  }
  return tags.sort((a, b) => a.start - b.start);
}

/** The tags of a text from left to right, without those inside of others. */
export function scanTags(text: string): Tag[] {
  return outermost(pairTags(text));
}

/** @param tags in the order in which they start */
export function outermost(tags: readonly Tag[]): Tag[] {
  let end = 0;
  return tags.filter((tag) => {
    if (tag.start < end) return false;
    end = tag.end;
    return true;
  });
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** What a tag's inside says: CDATA sections literally, all else without white space at the ends. */
export function readInside(inside: string): string {
  const trimmed = inside.trim();
  let said = '';
  for (let at = 0; at < trimmed.length;) {
    const end = trimmed.startsWith(CDATA, at) ? trimmed.indexOf(CDATA_END, at) : -1;
    if (end < 0) return trimmed;
    said += trimmed.slice(at + CDATA.length, end);
    at = end + CDATA_END.length;
  }
  return said;
}

/** A text as the inside of the tag `name`, from which {@link readInside} gets it back. */
export function writeInside(name: string, text: string): string {
  const isPlain = text === text.trim() && ![CDATA, `</${name}`, `<${name}`].some((special) => text.includes(special));
  return isPlain ? text : `${CDATA}${text.replaceAll(CDATA_END, `]]${CDATA_END}${CDATA}>`)}${CDATA_END}`;
}

/** Texts in tags of these names, one after the other. */
export function writeTags(texts: readonly (readonly [name: string, text: string])[]): string {
  return texts.map(([name, text]) => `<${name}>${writeInside(name, text)}</${name}>`).join(' ');
}
