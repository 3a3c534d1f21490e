/**
 * Checks that a reader of model output takes time linear in the length of its text.
 *
 * The measure is the CPU time of this process, so that a busy machine does not count. A reader fails where a text four
 * times as long costs more than {@link MAX_GROWTH} times as much (linear: 4, quadratic: 16) *and* more than
 * {@link FLOOR_MS}, in the best of several runs. Below the floor, noise decides; above it, a linear reader is far away:
 * it would need microseconds for each character. Short texts come first, so that an exponential or cubic reader ends the
 * test within seconds. The quarter of a text is read only where the whole costs more than the floor: most never do.
 */

import { expect, test } from 'vitest';

/** A text of any length that readers find hard. */
export interface AdversarialText {
  readonly name: string;
  readonly make: (length: number) => string;
}

export interface LinearOptions {
  /** Length of the longest text; a power of two. @default 32768 */
  readonly longest?: number;
  /** Errors by which the reader refuses a text. Anything else that it throws fails the check. */
  readonly refusals?: readonly (abstract new (...args: never[]) => Error)[];
  /** @default {@link adversarialTexts} */
  readonly texts?: readonly AdversarialText[];
}

export type Reader = (text: string) => unknown;

const LONGEST = 2 ** 15;
/** Short steps first: an exponential reader is found before it takes minutes. */
const SHORT_LENGTHS = Array.from({ length: 13 }, (_, at) => 16 + 4 * at);
/** Then steps in which a quadratic reader is found before it takes seconds. */
const STEP = 4;
const FLOOR_MS = 100;
/** A cache that is too small for the whole, but not for the quarter, can double what is linear. */
const MAX_GROWTH = 10;
/** Runs of which the fastest counts, made only where the first is too slow; two where noise is far away. */
const RUNS = 6;
const FAR_MS = 3 * FLOOR_MS;

/** Repetitions of one piece: brackets, quotes, escapes, tags, words, marks. */
const UNITS: Readonly<Record<string, string>> = {
  letters: 'A',
  digits: '1',
  zeros: '0',
  blanks: ' ',
  tabs: '\t',
  'no-break spaces': '\u00a0',
  newlines: '\n',
  'carriage returns': '\r\n',
  'blank lines': ' \n',
  words: 'a ',
  'capital words': 'Ab ',
  commas: ',',
  dots: '.',
  'dotted letters': 'a.',
  'dotted digits': '1.',
  'digits and commas': '1,',
  prices: '$1.00 ',
  dates: '2024-05-15 ',
  'record ids': '#W1234567 ',
  'e-mail addresses': 'a@b.c',
  'at signs': 'a@',
  hyphens: '-',
  'hyphenated letters': 'a-',
  underscores: '_',
  'double quotes': '"',
  'single quotes': "'",
  'quoted letters': '"a" ',
  apostrophes: "a'",
  'escaped quotes': '\\"',
  backslashes: '\\',
  'unicode escapes': '\\u0041',
  'opening brackets': '[',
  'opening braces': '{',
  'opening parentheses': '(',
  'closing brackets': ']',
  'closing braces': '}',
  'empty brackets': '[]',
  'empty braces': '{}',
  'nested objects': '{"a":',
  'nested lists': '[1,',
  'list items': '"a",',
  'object fields': '"a":1,',
  'opening tags': '<a>',
  'closing tags': '</a>',
  'empty tags': '<a/>',
  elements: '<a>1</a>',
  'less-than signs': '<',
  'tag beginnings': '<a ',
  'think tags': '<think>',
  ampersands: '&',
  entities: '&amp;',
  comments: '<!--',
  backticks: '`',
  fences: '```\n',
  'fenced JSON': '```json\n{',
  stars: '*',
  'list markers': '- a\n',
  headings: '# a\n',
  'field headings': '[[ ## a ## ]]\n',
  pipes: '|',
  colons: ':',
  labels: 'a: ',
  thoughts: 'Thought: a\n',
  actions: 'Action: ',
  'thoughts and actions': 'Thought:\nAction:\n',
  'action objects': 'Action:\n{"name": "respond", "arguments": {"content": "',
  'user responses': 'User Response:\n',
  verdicts: 'Verdict: ',
  classifications: 'Classification: ',
  responses: 'Response: ',
  'stop markers': '###STOP###',
  'stop marker beginnings': '###STO',
  sums: '1+',
  products: '1*',
  powers: '1**',
  signs: '+-',
  exponents: '1e',
  claims: 'I have cancelled and returned your order, ',
  'combining marks': '\u0301',
  'marked letters': 'e\u0301',
  emoji: '\u{1f600}',
  'joined emoji': '\u{1f469}\u200d',
  'lone surrogates': '\ud800',
  'right-to-left letters': '\u05d0',
  'zero-width spaces': '\u200b',
  'null characters': '\0',
  'terminal escapes': '\u001b[1m',
};

/** Each unit alone; and before a character that matches nothing, from which a backtracking pattern turns back. */
export const adversarialTexts: readonly AdversarialText[] = [
  ...Object.entries(UNITS).flatMap(([name, unit]) => [repeated(name, unit), repeated(`${name}, then §`, unit, '§')]),
  numbered('distinct words', (at) => `w${at.toString(36)} `),
  numbered('distinct tags', (at) => `<t${at.toString(36)}>`),
  numbered('distinct fields', (at) => `"k${at.toString(36)}": 1, `),
  numbered('distinct record ids', (at) => `#W${String(1_000_000 + at)} `),
  numbered('distinct numbers', (at) => `${String(at)}, `),
  numbered('distinct lines', (at) => `${at.toString(36)}: a\n`),
];

/** @returns a text that ends in `tail` and repeats `unit` before it, to the character */
export function repeated(name: string, unit: string, tail = ''): AdversarialText {
  return {
    name,
    make: (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length - tail.length) + tail,
  };
}

function numbered(name: string, unit: (at: number) => string): AdversarialText {
  return {
    name,
    make: (length) => {
      const units: string[] = [];
      for (let at = 0, size = 0; size < length; at++) size += units[units.push(unit(at)) - 1]?.length ?? 0;
      return units.join('').slice(0, length);
    },
  };
}

/** Registers one test a reader. The reader may be asynchronous. */
export function testLinear(readers: Readonly<Record<string, Reader>>, options: LinearOptions = {}): void {
  for (const [name, read] of Object.entries(readers)) {
    test(`${name} takes time linear in the length of what it reads`, { timeout: 300_000 }, async () => {
      expect(await findSuperLinear(read, options)).toBeUndefined();
    });
  }
}

/** @returns a sentence about the first text for which the reader is not linear; undefined where it is for all */
export async function findSuperLinear(read: Reader, options: LinearOptions = {}): Promise<string | undefined> {
  const { longest = LONGEST, texts = adversarialTexts, refusals = [] } = options;
  const guarded = async (text: string) => {
    try {
      await read(text);
    } catch (error) {
      if (!refusals.some((refusal) => error instanceof refusal)) throw error;
    }
  };
  for (const { name, make } of texts) {
    const timeOf = (length: number) => {
      const text = make(length);
      return cpuMs(() => guarded(text)).catch((error: unknown) => {
        throw new Error(`${name}, ${String(length)} characters`, { cause: error });
      });
    };
    for (const length of lengths(longest)) {
      let time = await timeOf(length);
      if (time <= FLOOR_MS) continue;
      const quarter = await timeOf(length / 4);
      for (let run = 1; run < (time > FAR_MS ? 2 : RUNS) && isTooSlow(time, quarter); run++) {
        time = Math.min(time, await timeOf(length));
      }
      if (isTooSlow(time, quarter)) {
        const growth = `${String(Math.round(time))} ms for ${String(length)} characters`;
        return `${name}: ${growth}, ${String(Math.round(quarter))} ms for a quarter of them`;
      }
    }
  }
  return undefined;
}

function lengths(longest: number): number[] {
  const all: number[] = [];
  for (let length = longest; length > 64; length /= STEP) all.unshift(length);
  return [...SHORT_LENGTHS, ...all];
}

function isTooSlow(time: number, quarter: number): boolean {
  return time > FLOOR_MS && time > MAX_GROWTH * quarter;
}

/** @returns CPU time of this process until the run has ended, which a busy machine does not change */
export async function cpuMs(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
