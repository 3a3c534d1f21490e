/**
 * Checks that a reader of model output takes time linear in the length of its text.
 *
 * The measure is the CPU time of this process, so that a busy machine does not count. A reader fails where a text four
 * times as long costs more than {@link MAX_GROWTH} times as much (linear: 4, quadratic: 16) *and* more than
 * {@link FLOOR_MS}, in the best of several runs. Below the floor, noise decides; above it, a linear reader is far away:
 * it would need microseconds for each character. The texts grow from a few characters on and the check ends at the
 * first length that fails, so that a quadratic or exponential reader ends the test within seconds.
 */

import { expect, test } from 'vitest';

/** A text of any length that readers find hard. */
export interface AdversarialText {
  readonly name: string;
  readonly make: (length: number) => string;
}

export interface LinearOptions {
  /** Length of the longest text; a power of two. @default 65536 */
  readonly longest?: number;
  /** Errors by which the reader refuses a text. Anything else that it throws fails the check. */
  readonly refusals?: readonly (abstract new (...args: never[]) => Error)[];
  /** @default {@link adversarialTexts} */
  readonly texts?: readonly AdversarialText[];
}

export type Reader = (text: string) => unknown;

const LONGEST = 2 ** 16;
/** Short steps first: an exponential reader is found before it takes minutes. */
const SHORT_LENGTHS = Array.from({ length: 13 }, (_, at) => 16 + 4 * at);
const FLOOR_MS = 250;
const MAX_GROWTH = 8;
/** Runs of which the fastest counts, made only where the first is too slow. */
const RUNS = 4;

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
    const times = new Map<number, number>();
    for (const length of lengths(longest)) {
      const text = make(length);
      const before = times.get(length / 4);
      const time = await fastest(() => guarded(text), before).catch((error: unknown) => {
        throw new Error(`${name}, ${String(length)} characters`, { cause: error });
      });
      times.set(length, time);
      if (isTooSlow(time, before)) {
        const growth = `${String(Math.round(time))} ms for ${String(length)} characters`;
        return `${name}: ${growth}, ${String(Math.round(before ?? 0))} ms for a quarter of them`;
      }
    }
  }
  return undefined;
}

function lengths(longest: number): number[] {
  const all = [...SHORT_LENGTHS];
  for (let length = 128; length <= longest; length *= 2) all.push(length);
  return all;
}

async function fastest(run: () => Promise<void>, before: number | undefined): Promise<number> {
  let best = await cpuMs(run);
  for (let again = 1; again < RUNS && isTooSlow(best, before); again++) best = Math.min(best, await cpuMs(run));
  return best;
}

function isTooSlow(time: number, before = 0): boolean {
  return time > FLOOR_MS && time > MAX_GROWTH * before;
}

async function cpuMs(run: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
