/**
 * Removes keys from histories, messages and logs. Providers quote keys in their error messages, in part or whole, and a
 * proxy may echo request headers in any encoding.
 *
 * A key is found in plain, in upper and lower case, escaped (URL, JSON, HTML) once or twice, in base64 and base64url at
 * any alignment (so also within `Bearer KEY` or `user:KEY`), in hex, and as numbers of HTML entities. Parts of
 * {@link PART_BYTES} bytes or more are found too, because a message that was cut short or broken into lines has no
 * whole key. The time is linear in the text.
 */

export type Redact = (text: string) => string;

const REDACTED = '[redacted]';

/** Matches texts with a key's shape, whoever owns the key. The first group of a pattern, if any, is not removed. */
const KEY_SHAPES: readonly RegExp[] = [
  /(\bBearer\s+)[\w.~+/=*-]{6,}/gi,
  /(\bBasic\s+)[\w+/-]{16,}={0,2}/g,
  /(\bapi[ _-]?key(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
  /()\bsk-[\w*.-]{5,}/g,
];

/** Removes the given keys, however encoded, and nothing else. It is for texts that must otherwise not change. */
export function createKeyRemover(keys: readonly (string | null)[]): Redact {
  const secrets = new Set(keys.filter((key) => key !== null).filter(isSecret));
  if (secrets.size === 0) return (text) => text;
  const find = createFinder([...secrets].flatMap(listSpellings));
  return (text) => cutOut(text, find(text));
}

/** Removes the given keys and every text with a key's shape. It is for messages of errors and logs. */
export function createRedactor(keys: readonly (string | null)[]): Redact {
  const removeKeys = createKeyRemover(keys);
  return (text) => KEY_SHAPES.reduce((clean, shape) => clean.replace(shape, `$1${REDACTED}`), removeKeys(text));
}

/** Length in characters from which every value is treated as a key. */
const CERTAIN_CHARS = 12;
const SHORTEST_CHARS = 6;

/**
 * @returns false for placeholders such as `EMPTY`, `ollama` or `lm-studio`, which are ordinary words to a model, and
 * for a key that is too short to be distinguished from other text
 */
function isSecret(key: string): boolean {
  if (key.length >= CERTAIN_CHARS) return true;
  if (key.length < SHORTEST_CHARS) return false;
  const isWords = key.split(/[-_. ]/).every((word) => /^(?:[A-Z]?[a-z]*|[A-Z]+|\d+)$/.test(word));
  return !isWords;
}

interface Spelling {
  readonly text: string;
  /**
   * Length from which a part of the spelling is removed: {@link PART_BYTES} of the key, or the whole key if it is
   * shorter.
   */
  readonly part: number;
}

/** Bytes of a key's part from which it is hidden. */
const PART_BYTES = 10;
/** Characters of a key's part from which it is hidden; a shorter one may be an ordinary word. */
const PART_CHARS = 16;

/** Separators between a key's bytes in hex: of URLs, dumps, JSON and HTML, and the same separators escaped again. */
const HEX_MARKS = ['', '%', '%25', ':', ' ', '-', '\\x', '\\\\x', '\\u00', '\\\\u00', ';&#x', ';&#X', ';&amp;#x'];

function listSpellings(key: string): Spelling[] {
  const bytes = Buffer.from(key);
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const cased = key.length < CERTAIN_CHARS ? [key] : [key, key.toUpperCase(), key.toLowerCase()];
  const texts = [...cased, ...base64].flatMap(escapedForms).flatMap(escapedForms);
  for (const text of base64) texts.push(text.replaceAll('+', '-').replaceAll('/', '_'));
  for (const mark of HEX_MARKS) texts.push(hex.join(mark), hex.map((pair) => pair.toUpperCase()).join(mark));
  for (const mark of [';&#', ';&amp;#']) texts.push(bytes.join(mark));
  return [...new Set(texts)].map((text) => {
    const part = Math.max(PART_CHARS, Math.ceil((PART_BYTES * text.length) / bytes.length));
    return { text, part: Math.min(part, text.length) };
  });
}

/**
 * Returns the base64 characters of a longer text that depend on the key alone. @param before number of bytes before the
 * key, modulo 3
 */
function base64Within(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function escapedForms(text: string): string[] {
  const url = encodeURIComponent(Buffer.from(text).toString());
  const json = JSON.stringify(text).slice(1, -1);
  const goJson = json.replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const lowerUrl = url.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  return [text, url, lowerUrl, url.replaceAll('%20', '+'), json, json.replaceAll('/', '\\/'), goJson, html];
}

/** A half-open range. */
type Span = readonly [start: number, end: number];

/**
 * Number of characters by which parts are found, and distance of these grams: a part of {@link PART_CHARS} contains a
 * whole gram.
 */
const GRAM = 8;
/** Most places of one gram to compare. Only keys with repetitions have more. */
const MAX_PLACES = 64;

/** @returns a function that finds where a text has a spelling, or a part of one */
function createFinder(spellings: readonly Spelling[]): (text: string) => Span[] {
  const short = spellings.filter(({ part }) => part < PART_CHARS);
  const long = spellings.filter(({ part }) => part >= PART_CHARS).sort((a, b) => b.text.length - a.text.length);
  const places = new Map<string, { readonly spelling: Spelling; readonly at: number }[]>();
  for (const spelling of long) {
    for (let at = 0; at + GRAM <= spelling.text.length; at++) {
      const gram = spelling.text.slice(at, at + GRAM);
      const known = places.get(gram) ?? [];
      if (known.length < MAX_PLACES) known.push({ spelling, at });
      places.set(gram, known);
    }
  }
  return (text) => {
    const spans = short.flatMap(({ text: whole }) => occurrences(text, whole));
    for (let i = 0; i + GRAM <= text.length; i += GRAM) {
      const candidates = places.get(text.slice(i, i + GRAM)) ?? [];
      let widest: Span | undefined;
      for (const { spelling, at } of candidates) {
        const span = extend(text, i, spelling.text, at);
        if (span[1] - span[0] < spelling.part) continue;
        widest = widest === undefined ? span : [Math.min(widest[0], span[0]), Math.max(widest[1], span[1])];
        // Longer spellings come first, so no wider match follows.
        if (span[1] - span[0] === spelling.text.length) break;
      }
      if (widest === undefined) continue;
      spans.push(widest);
      i = Math.max(i, widest[1] - GRAM);
    }
    return spans;
  };
}

function occurrences(text: string, whole: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + whole.length)) {
    spans.push([at, at + whole.length]);
  }
  return spans;
}

/** Extends two equal places to the whole range in which text and spelling are equal. */
function extend(text: string, i: number, spelling: string, at: number): Span {
  let before = 0;
  while (before < at && before < i && text[i - before - 1] === spelling[at - before - 1]) before++;
  let after = GRAM;
  while (at + after < spelling.length && i + after < text.length && text[i + after] === spelling[at + after]) after++;
  return [i - before, i + after];
}

function cutOut(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const [start, stop] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start > end || pieces.length === 0) pieces.push(text.slice(end, start), REDACTED);
    end = Math.max(end, stop);
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}
