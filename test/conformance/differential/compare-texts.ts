/** Reads the same texts here and in Python, and tells which come out differently. */

import fc from 'fast-check';
import { applyAction, openOverlay, type EnvData } from '../../../src/benchmarks/index.ts';
import {
  PyError,
  formatFloat,
  roundFloat2,
  hashableRepr,
  repr,
  str,
  lower,
  strip,
  parseInteger,
  dumpJson,
  JsonError,
  parseJson,
} from '../../../src/benchmarks/python/index.ts';
import { isPrintable } from '../../../src/benchmarks/python/testing.ts';
import type { Answer, PythonFunction, ReferenceProcess } from './reference-process.ts';
import { expressions, floatTexts, integerTexts, jsonTexts, wordTexts } from './texts.ts';

interface Reading {
  readonly texts: fc.Arbitrary<string>;
  readonly here: (text: string) => unknown;
}

/** A kind of text, and the function of Python's that reads it. */
export const READINGS: ReadonlyMap<PythonFunction, Reading> = new Map<PythonFunction, Reading>([
  ['json', { texts: jsonTexts, here: readJson }],
  ['lower', { texts: wordTexts, here: lower }],
  ['strip', { texts: wordTexts, here: strip }],
  ['int', { texts: integerTexts, here: (text) => parseInteger(text).toString() }],
  ['float', { texts: floatTexts, here: (text) => formatFloat(toFloat(text)) }],
  ['round2', { texts: floatTexts, here: (text) => formatFloat(roundFloat2(toFloat(text))) }],
  [
    'printable',
    { texts: wordTexts, here: (text) => Array.from(text, (char) => isPrintable(char.codePointAt(0) ?? 0)) },
  ],
]);

const BATCH = 500;

/** @throws Error that lists up to ten differences @returns how many texts were compared */
export async function compareTexts(
  reference: ReferenceProcess,
  name: PythonFunction,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<number> {
  const reading = READINGS.get(name);
  if (reading === undefined) throw new Error(`nothing reads ${name}`);
  return compareAll(reading.texts, { seed, count }, async (texts) => {
    const answers = await reference.call(name, texts);
    return texts.flatMap((text, at) => {
      const [expected, actual] = [toLine(answers[at]), toLine(attempt(() => reading.here(text)))];
      return expected === actual ? [] : [`${JSON.stringify(text)}\nreference: ${expected}\nhere:      ${actual}`];
    });
  });
}

/** Compares what `calculate` makes of random expressions, as {@link compareTexts} does. */
export async function compareExpressions(
  reference: ReferenceProcess,
  options: { readonly seed: number; readonly count: number },
): Promise<number> {
  const data: EnvData = { domain: 'retail', tables: new Map(), terminateTools: [] };
  await reference.open('retail', '{}');
  return compareAll(expressions, options, async (texts) => {
    const kwargs = texts.map((expression) => ({ name: 'calculate', kwargs: JSON.stringify({ expression }) }));
    const { steps } = await reference.run(kwargs);
    return texts.flatMap((expression, at) => {
      const { observation } = applyAction(data, openOverlay(data), {
        name: 'calculate',
        kwargs: new Map([['expression', expression]]),
      });
      const expected = toLine(steps[at]);
      const actual = toLine({ observation });
      return expected === actual || isLastDigit(expression, expected, actual)
        ? []
        : [`${JSON.stringify(expression)}\nreference: ${expected}\nhere:      ${actual}`];
    });
  });
}

/**
 * Powers with a fraction in the exponent are the C library's business in Python: one in a thousand is not the nearest
 * double, as it is here, but the one beside it.
 */
function isLastDigit(expression: string, expected: string, actual: string): boolean {
  if (!/\*\*.*[./]/.test(expression)) return false;
  const [x, y] = [expected, actual].map((line) => Number(/"([-0-9.e+]+)"/.exec(line)?.[1]));
  return x !== undefined && y !== undefined && Math.abs(x - y) <= Math.abs(x) * 2 ** -50;
}

async function compareAll(
  texts: fc.Arbitrary<string>,
  { seed, count }: { readonly seed: number; readonly count: number },
  differences: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  const drawn = fc.sample(texts, { seed, numRuns: count });
  const found: string[] = [];
  for (let from = 0; from < drawn.length && found.length < 10; from += BATCH) {
    found.push(...(await differences(drawn.slice(from, from + BATCH))));
  }
  // The shortest say most.
  const shown = found.sort((a, b) => a.length - b.length).slice(0, 10);
  if (found.length > 0)
    throw new Error(`${String(found.length)} or more differ, seed ${String(seed)}:\n${shown.join('\n')}`);
  return drawn.length;
}

function readJson(text: string): unknown {
  const value = parseJson(text);
  return {
    json: dumpJson(value),
    str: str(value),
    repr: repr(value),
    hashable: typeof value === 'string' ? value : hashableRepr(value),
    indented: dumpJson(value, { indent: 2 }),
  };
}

function toFloat(text: string): number {
  return Number(text.replace('inf', 'Infinity'));
}

function attempt(read: () => unknown): Answer {
  try {
    return { result: read() };
  } catch (error) {
    if (error instanceof PyError) return { raised: error.type, message: error.message };
    if (error instanceof JsonError) return { raised: 'JSONDecodeError', message: error.message };
    throw error;
  }
}

function toLine(answer: object | undefined): string {
  return JSON.stringify(answer);
}
