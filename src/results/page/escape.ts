/** Texts of any origin in an HTML file. Pure. */

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text between tags and for attributes in quotes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMED[character] ?? character);
}

/**
 * JSON for an element `script`, whose end, and the states of its own that `<!--` and `<script` begin, a parser looks for
 * in the raw text: without `<` it finds none.
 */
export function dataJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
