/** Python's texts: sequences of code points, their order, case and white space, and the repr of values. */

import { PyFloat, isDict, isList, type PyDict, type PyValue } from './value.ts';

/** Orders strings by code point, as Python's `<` does; JavaScript's orders by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  // At a position inside a surrogate pair, the whole pair counts.
  if (at > 0 && isHigh(a.charCodeAt(at - 1)) && (isLow(a.charCodeAt(at)) || isLow(b.charCodeAt(at)))) at--;
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * `str.lower()`: full case mapping with the final sigma, as in JavaScript. Python 3.11 does not know characters added
 * after Unicode 14.0: they are not changed, and words end at them.
 */
export function lower(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (isNewer(char)) {
      result += text.slice(from, at).toLowerCase() + char;
      from = at + char.length;
    }
    at += char.length;
  }
  return result + text.slice(from).toLowerCase();
}

const ASCII = /^[\0-\x7f]*$/;

/** Returns true if the running JavaScript knows a character that Unicode 14.0 does not have. */
function isNewer(char: string): boolean {
  return !isPrintable(char.codePointAt(0) ?? 0) && VISIBLE.test(char);
}

/** Matches printable characters, and the controls of hieroglyphs that Unicode 15.0 added. */
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}\u{13439}-\u{1343f}]/u;

/** `str.strip()`. Python's white space has U+001C–U+001F and U+0085, and not U+FEFF. */
export function strip(text: string): string {
  return text.replace(LEADING_SPACE, '').replace(TRAILING_SPACE, '');
}

const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
// The look-behind keeps the pattern from trying long inner runs of spaces again at each position.
const TRAILING_SPACE = new RegExp(`(?<!${SPACE})${SPACE}+$`);

/** `repr(value)`. */
export function repr(value: PyValue): string {
  if (isList(value)) return `[${value.map(repr).join(', ')}]`;
  if (!isDict(value)) return scalarRepr(value);
  return `{${Array.from(value, ([key, item]) => `${quote(key)}: ${repr(item)}`).join(', ')}}`;
}

/** `str(value)`: a string unchanged, otherwise the repr. */
export function str(value: PyValue): string {
  return typeof value === 'string' ? value : repr(value);
}

function scalarRepr(value: Exclude<PyValue, PyDict | readonly PyValue[]>): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof PyFloat) return formatFloat(value.value);
  return value ? 'True' : 'False';
}

/** `repr` of a string: in single quotes, or in double quotes if that avoids escapes. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = mark;
  // A string iterates by code point; a lone surrogate is one too.
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === mark || char === '\\') result += `\\${char}`;
    else if (isPrintable(code)) result += char;
    else result += escapeCode(code);
  }
  return result + mark;
}

const PLAIN = /^[ -&(-[\]-~]*$/;

function escapeCode(code: number): string {
  if (code === 0x0a) return '\\n';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return '\\t';
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/**
 * `repr` of the value made hashable: an object becomes a tuple of (key, value) pairs sorted by key, an array a tuple,
 * recursively. The benchmark considers two states equal if these texts are equal.
 */
export function hashableRepr(value: PyValue): string {
  return renderHashable(value, scalarRepr);
}

/** Works like {@link hashableRepr}, but writes whole floats as ints, so that `131` and `131.0` give one text. */
export function spellingFreeRepr(value: PyValue): string {
  return renderHashable(value, (scalar) =>
    scalar instanceof PyFloat && Number.isInteger(scalar.value) ? BigInt(scalar.value).toString() : scalarRepr(scalar),
  );
}

type Scalar = Parameters<typeof scalarRepr>[0];

function renderHashable(value: PyValue, scalar: (value: Scalar) => string): string {
  if (isList(value)) return tuple(value.map((item) => renderHashable(item, scalar)));
  if (!isDict(value)) return scalar(value);
  const keys = Array.from(value.keys()).sort(compareText);
  return tuple(keys.map((key) => `(${quote(key)}, ${renderHashable(value.get(key) ?? null, scalar)})`));
}

/** Formats a tuple of rendered elements. */
function tuple(parts: readonly string[]): string {
  return parts.length === 1 ? `(${String(parts[0])},)` : `(${parts.join(', ')})`;
}

/**
 * `repr(x)`: the shortest digits that parse to the same double, always with a point or an exponent; in exponent form
 * from 1e16 on and below 1e-4.
 */
export function formatFloat(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  const size = Math.abs(x);
  if (size === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(x) ? `${String(x)}.0` : String(x);
  // Both languages print the shortest digits that parse to the same double; only the form of the exponent differs.
  const [digits = '', exponent = ''] = x.toExponential().split('e');
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}

/** `round(x, 2)`: rounds the exact binary value, ties to even. */
export function roundFloat2(x: number): number {
  // From 2**52 on doubles are whole. NaN and infinities stay unchanged.
  if (!(Math.abs(x) < 2 ** 52) || x === 0) return x;
  // Only odd eighths are exactly between two hundredths; toFixed would round those up.
  const eighths = x * 8;
  if (!Number.isInteger(eighths) || eighths % 2 === 0) return Number(x.toFixed(2));
  const doubled = BigInt(eighths) * 25n;
  const below = (doubled - 1n) / 2n;
  const above = (doubled + 1n) / 2n;
  const even = below % 2n === 0n ? below : above;
  return Number(`${even.toString()}e-2`) * (even === 0n && x < 0 ? -1 : 1);
}

/**
 * `str.isprintable` of Unicode 14.0, Python 3.11's version.
 * @returns true if `repr` shows the code point unescaped; the caller handles quotes and backslashes
 */
export function isPrintable(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  let low = 0;
  let high = STARTS.length;
  // Finds the last range that starts at or before the code point.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((STARTS[middle] ?? 0) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return codePoint > (ENDS[low - 1] ?? -1);
}

/**
 * The unprintable ranges in order, each as the gap since the previous one and, if above 1, its length; base 36. Taken
 * from Unicode's data, not from a regular expression, because its Unicode version varies with Node's.
 */
const RANGES =
  '0.w 2n.y c ju.2 6.4 7 1 k b1 12.2 1e.2 3 1j.8 r.4 6.h m 5c 1c.2 1n.2 2t.e 1n.2 1d.2 f s.2 1 b.5 v.9 22 4h ' +
  '8.2 2.2 m 7 1.3 4.2 9.2 2.2 4.8 1.4 2 5.2 p.2 3 6.4 2.2 m 7 2 2 2.2 1 5.4 2.2 3.3 1.7 4 1.7 h.a 3 9 3 m 7 2 ' +
  '5.2 a 3 3.2 1.f 4.2 c.7 7 3 8.2 2.2 m 7 2 5.2 9.2 2.2 3.7 3.4 2 5.2 i.a 2 6.3 3 4.3 2 1 2.3 2.3 3.3 c.4 5.3 ' +
  '3 4.2 1.6 1.e l.5 d 3 n g.2 9 3 4.7 2 3.2 1.2 4.2 a.7 m 3 n a 5.2 9 3 4.7 2.6 2 4.2 a 2.d d 3 1f 3 6.4 g.2 ' +
  'q 3 i.3 o 9 1.2 7.3 1.4 6 1 8.6 a.2 3.c 1m.4 t.11 2 1 5 o 1 n.2 5 1 6.2 a.2 4.w 20 10.4 13 10 f d.11 5i 1.5 ' +
  '1.2 ah 4.2 7 1 4.2 15 4.2 x 4.2 7 1 4.2 f 1l 4.2 1v.2 w.3 q.6 2e.2 6.2 hs s.3 2h.7 m.9 o.9 k.c d 3 2.c 2m.2 ' +
  'a.6 a.6 e b.6 2h.7 17.5 1y.a v c.4 c.4 1.3 16.2 5.b 18.4 q.6 b.3 1q.2 1t t.2 b.6 a.6 e.2 v.1d 25.3 1b 38.8 ' +
  '1o.3 f.3 1o.7 17.2 b.8 17.5 eu.2 6.2 12.2 6.2 8 1 1 1 v.2 1h f e.2 6 j.2 3 9.h o.8 1b.h 2.2 r d.3 x.f x.f ' +
  '3w.4 if.p b.l 1ec.2 w 9p.5 19 1.5 1.2 1k.7 2.e o.9 7 7 7 7 7 7 7 7 3i.y q 2h.c 5y.q c.5 1r 2e.2 2v.5 17 2m ' +
  '2c.c 1b mlp.3 1j.9 9o.k 54.8 5n.5 2 1 5.o 1n.3 a.6 1k.8 1y.8 c.6 38.b u.3 26 b.4 x 1j.9 e.2 a.2 2v.o s.a ' +
  '6.2 6.2 6.9 7 7 1o.4 3i.2 a.6 8mc.c n.4 1d.6is a6.2 2y.12 7.c 5.5 q 5 1 2 2 3h.g cd.2 1i.7 1.w 16.6 1f j ' +
  '4.4 5 3r.4 5a.3 6.2 6.2 6.2 3.3 7 7.d 2.2 c q j 2 f.2 e.y 3f.5 3.4 19.3 2g d.3 1.1b 1a.3m t.3 1d.f s.4 10.9 ' +
  'u.5 17.5 u 11.4 e.16 4e.2 a.6 10.4 10.4 14.8 1g.b c f 7 2 b f 7 2.1v 8n.9 m.a 8.o 6 16 9.1x 6.2 1 18 2.3 ' +
  '1.2 n 20.8 9.1c j 2.5 x.3 r.5 1.1s 1k.4 k.2 1e 2.5 8 3 t.2 3.4 a.7 9.7 1s.w 13.4 c.9 1i.3 t.2 r.5 q.7 4.c ' +
  '7.28 21.1j 1f.d 1f.7 1a.8 a.86 v 16 3.2 2.26 14.8 16.m q.12 s.k n.9 26.4 10.9 1q 5.d p.7 a.6 1h i.8 13.9 2o ' +
  'k.b i 18.1t 7 1 4 f b.6 1n.5 a.6 4 8.2 2.2 m 7 2 5 a.2 2.2 3.2 1.6 1.5 7.2 7.3 5.3v 2k 5.u 20.8 a.4m 1i.2 ' +
  '12.y 1x.b a.6 d.j 1m.6 a.1i r.2 f.4 n.55 1o.2s 2b.c 8.2 1.2 8 2 u 2.2 c.9 a.1y 8.2 1a.2 b.r 20.8 2b.d 21.7b ' +
  '9 19 e.a t.3 w.2 m e.21 7 2 18.3 1 2 9.8 a.6 6 2 11 2 6.7 a.8m p.53 1.f 1e.d pn.2u 33 5.b 5g.218 2r.d ' +
  'tr.34h g7.6nt ft.7 v a.4 29 a.6 u.2 6.a 1y.a a 7 l.5 j.j4 2j.2t 23.4 1l.7 h.1s 5.b 2.e 4qg.8 ye.16 9.6w7 4 ' +
  '7 2 83.19 3.h 4.8 b0.1s4 2z.5 d.3 9.7 a.2 4.3mo 1a.2 n.9 38.1o 6u.a 13.2 22.8 34.l 1y.4a k.c 2f.9 p.3r 2d ' +
  '1z 2.2 1.2 2.2 4 c 1 7 1t 4.2 8 7 s 4 5 1.3 7 9g.2 84.2 ji.f 5 f.uo v.69 7 h.2 7 2 5.5x 19.3 e.2 a.4 2.8w ' +
  'v.h 1m.5 1.yo 7 4 2 f 5h.2 g.15 24.4 a.4 2.lt 1w.24 1p.5e 4 r 2 1.2 1 a 4 1 1.6 1.4 1 1 1 3 2 1.2 1 1 1 1 1 ' +
  '2 1.2 4 7 4 4 1 a h.5 3 5 h.1g 2.7i 18.4 2s.c f.2 f f 11.a 4u.1k t.d 18.4 9.7 2.e 6.4a rc.5 g.3 d.3 38.c ' +
  '2h.7 c.4 1.f c.4 1k.8 a.6 14.8 u.2 2.26 9g.c e.2 5.3 5.3 7.9 t.3 b.5 6.a a.6 8.8 7.9 43 1j.11 a.sm wyo.w ' +
  '37d.7 66.2 4g2.e 5rl.2e7 f2.15u 3t7.fcmt 6o.47bk';

const STARTS: number[] = [];
const ENDS: number[] = [];
{
  let next = 0;
  for (const range of RANGES.split(' ')) {
    const [gap = '', length = '1'] = range.split('.');
    const start = next + parseInt(gap, 36);
    next = start + parseInt(length, 36);
    STARTS.push(start);
    ENDS.push(next - 1);
  }
}
