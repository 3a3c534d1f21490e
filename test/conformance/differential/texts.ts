/** Texts that Python reads: expressions, JSON, numbers; good ones and damaged ones. */

import fc from 'fast-check';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { oddValue } from './odd-values.ts';

const digits = (max: number) => fc.stringMatching(new RegExp(`^(0|[1-9][0-9]{0,${String(max - 1)}})$`));
const number = fc.oneof(
  { weight: 4, arbitrary: digits(5) },
  { weight: 3, arbitrary: fc.tuple(digits(4), digits(3)).map(([a, b]) => `${a}.${b}`) },
  fc.constantFrom('0', '1', '2', '3', '.5', '5.', '0.1', '100', '1000000', '00', '07', '0.0', '1.005', '2.675', '...'),
  digits(30),
);
const space = fc.constantFrom('', '', '', ' ', '  ');

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    number,
    fc
      .tuple(
        tie('expression'),
        space,
        fc.constantFrom('+', '-', '*', '/', '//', '+', '-', '*', '/', '**'),
        space,
        tie('expression'),
      )
      .map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('-', '+', '--', '- +'), tie('expression')).map((parts) => parts.join('')),
    fc.tuple(space, tie('expression'), space).map((parts) => `(${parts.join('')})`),
    fc
      .tuple(fc.constantFrom('1', '(2)', '()', '(-8)'), fc.constantFrom('*', '**', '', ''), tie('expression'))
      .map(([callee, star, argument]) => `${callee}(${star}${argument})`),
  ),
}));

/** Expressions of every kind that Python can work out in no time, and the same with a few characters changed. */
export const expressions: fc.Arbitrary<string> = damaged(expression, [
  ...'0123456789+-*/(). ',
  '**',
  '//',
  '...',
  '()',
]).filter(isQuick);

/** Python computes powers exactly, however long it takes; one of small numbers, or three of digits, are no work. */
function isQuick(text: string): boolean {
  const [head = '', ...tails] = text.split('**');
  if (tails.length === 0) return true;
  const numbers = (part: string) => Array.from(part.matchAll(/[0-9]+/g), Number);
  if (tails.length === 1) {
    const exponent = numbers(tails.join('')).reduce((product, x) => product * (x + 1), 1);
    return exponent < 1000 && head.length < 100;
  }
  return tails.length < 4 && numbers(text).length <= 6 && numbers(text).every((x) => x <= 3);
}

const looseJson = fc
  .tuple(oddValue, fc.constantFrom('', ' ', '\n', '\t ', '\r\n', '\u00a0', '\ufeff'), fc.boolean())
  .map(([value, padding, isIndented]) => padding + dumpJson(value, isIndented ? { indent: 2 } : {}) + padding);

/**
 * JSON as Python writes it and as it does not. Half of a surrogate pair occurs as an escape only: no text that came as
 * UTF-8 has one of its own.
 */
export const jsonTexts: fc.Arbitrary<string> = damaged(looseJson, [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\u0000', '\u001f', ' ', '-', '+', '.', 'e', 'E', '0', '1', '9'],
  ...['1e5', '1E-400', '-0', '-0.0', '01', '0x1', 'NaN', '-Infinity', 'Infinit', 'nul', 'true', 'True', '"a":', '😀'],
  ...['\\u00e9', '\\ud83d', '\\ude00', '\\u12', '\\u12g4', '\\x', '\\/', '\u2028', '/**/', "'", '1.', '.5'],
]).filter((text) => !/\p{Surrogate}/u.test(text));

/** Texts for `int` and `float`-like reading. */
export const integerTexts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...'0123456789', '_', '+', '-', ' ', '\u3000', '٣', '𝟚', '߉', '.', 'a', '\u001c', '\ud83d'), {
    maxLength: 7,
  })
  .map((parts) => parts.join(''));

/** Doubles as text: any at all, prices, and those that lie between two hundredths or nearly so. */
export const floatTexts: fc.Arbitrary<string> = fc
  .oneof(
    fc.double({ noNaN: true }),
    fc.nat({ max: 10_000_000 }).map((cents) => cents / 100),
    fc.nat({ max: 10_000_000 }).map((tenths) => tenths / 1000 + 0.005),
    fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((eighths) => eighths / 8),
    fc
      .tuple(fc.double({ min: 0.1, max: 1, noNaN: true }), fc.integer({ min: -20, max: 25 }))
      .map(([x, e]) => x * 10 ** e),
  )
  .map((x) => (x === Infinity ? 'inf' : x === -Infinity ? '-inf' : Object.is(x, -0) ? '-0.0' : String(x)));

/** Any text, with what case mapping and white space make difficult more often than chance would have it. */
export const wordTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1 }),
      fc.constantFrom(...'aBΣσςİIıßẞǅ .-\u0307\u00ad\u200d\u3000\u001f\u0085'),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

/** Half of the texts as they are, half with one to three pieces put in, left out or put in place of others. */
function damaged(texts: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.noBias(fc.nat({ max: 9999 })),
    cut: fc.constantFrom(0, 0, 1, 1, 2),
    piece: fc.oneof(fc.constantFrom(...pieces), fc.constant('')),
  });
  const broken = fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((kept, { at, cut, piece }) => {
      const from = at % (kept.length + 1);
      return kept.slice(0, from) + piece + kept.slice(from + cut);
    }, text),
  );
  return fc.oneof(texts, broken);
}
