/** As much of XML as a report takes: elements with attributes, other elements, and text. Pure. */

export interface XmlElement {
  readonly name: string;
  /** Absent values are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children?: readonly XmlElement[];
  readonly text?: string;
}

/** A document; names are the program's own, values and texts may be anything. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, '')}\n`;
}

function element({ name, attributes, children = [], text = '' }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const open = [name, ...given.map(([key, value]) => `${key}="${attribute(String(value))}"`)].join(' ');
  const inside = children.map((child) => `\n${element(child, `${indent}  `)}`).join('');
  if (inside === '' && text === '') return `${indent}<${open}/>`;
  return `${indent}<${open}>${escaped(text)}${inside === '' ? '' : `${inside}\n${indent}`}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return withoutForbidden(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A parser makes blanks of an attribute's line feeds and tabs; as references they stay what they are. */
function attribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/**
 * XML 1.0 cannot have most control characters, halves of surrogate pairs, U+FFFE and U+FFFF, in no spelling. A carriage
 * return could be, and would come back as a line feed.
 */
function withoutForbidden(text: string): string {
  // eslint-disable-next-line no-control-regex -- taking control characters out is the point
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu, '');
}
