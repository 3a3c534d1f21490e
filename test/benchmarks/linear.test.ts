/** The benchmark reads the arguments and replies of models: in time linear in their length. */

import { expect, test } from 'vitest';
import {
  areOutputsWords,
  findOutputs,
  replayStep,
  openOverlay,
  diffValues,
  textActionOf,
  type Action,
} from '../../src/benchmarks/index.ts';
import {
  PyError,
  isList,
  parseInteger,
  dumpJson,
  JsonError,
  parseJson,
  hashableRepr,
  quote,
  repr,
  spellingFreeRepr,
  lower,
  strip,
  type PyValue,
} from '../../src/benchmarks/python/index.ts';
import { readPack } from '../../src/benchmarks/testing.ts';
import { boolean, create, float, integer, readEach, model } from '../../src/benchmarks/tau3/testing.ts';
import { repeated, testLinear } from '../helpers/linear.ts';
import { shop } from './helpers.ts';

const PLAIN_TEXTS = [
  repeated('letters', 'A'),
  repeated('digits', '1'),
  repeated('numbers', '12 '),
  repeated('underscores', '_'),
  repeated('quotes', '"'),
  repeated('marked letters', 'e\u0301'),
];

const refusals = [PyError, JsonError];

/** The value of a text as JSON; the text itself where it is no JSON. */
function valueOf(text: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return text;
  }
}

function calculate(expression: string): string {
  const action: Action = { name: 'calculate', kwargs: new Map([['expression', expression]]) };
  const taken = replayStep(shop, openOverlay(shop), action, () => '');
  return taken.kind === 'observed' ? taken.observation : taken.message;
}

testLinear(
  {
    'the JSON reader': parseJson,
    'the JSON reader, within a string,': (text) => parseJson(`{"a": "${text}`),
    'the JSON reader, on what is closed again,': (text) => {
      const half = text.slice(0, text.length / 2);
      return parseJson(
        half +
          Array.from(half, (char) => ({ '[': ']', '{': '}' })[char] ?? char)
            .reverse()
            .join(''),
      );
    },
    'the JSON writer': (text) => dumpJson([valueOf(text), text], { indent: 2 }),
    "Python's repr": (text) => [quote(text), repr(text), hashableRepr(valueOf(text)), spellingFreeRepr([text])],
    "Python's int()": parseInteger,
    "Python's strip() and lower()": (text) => [strip(text), lower(text)],
    'the search for outputs': (text) => {
      const actions = [{ name: 'respond', kwargs: new Map([['content', text]]) }];
      return [findOutputs(['10', 'a', '1,000'], actions), areOutputsWords(['1', 'a', ',', 'ab'], actions)];
    },
    "the reading of a text agent's action": textActionOf,
    'the reading of an action behind a thought': (text) => textActionOf(`Thought: ${text}\nAction:\n${text}`),
    "a model's numbers and booleans": (text) => {
      const values = [text, `1${text}`, `1.0${text}`].map(
        (item) =>
          new Map([
            ['i', item],
            ['f', item],
            ['b', item],
          ]),
      );
      return create('Models', readEach(model('M', { i: integer, f: float, b: boolean })), values);
    },
    'the calculator': calculate,
    'the calculator, within parentheses,': (text) => calculate(`((${text}))`),
  },
  { refusals },
);

testLinear(
  {
    'the difference of two values': (text) => diffValues([text, ...text], [`${text}!`, ...text.slice(1)], []),
  },
  { longest: 2 ** 12 },
);

/** The right calls of the shipped packs' tasks, with one argument at a time that is something else. */
for (const domain of ['retail', 'airline']) {
  const pack = await readPack(new URL(`../../data/${domain}`, import.meta.url).pathname);
  const calls = new Map<string, Action>();
  for (const { actions } of Object.values(pack.splits).flat()) {
    for (const action of actions) if (!calls.has(action.name)) calls.set(action.name, action);
  }
  // A reader for each argument: the time of all together would be above the floor below which noise does not count.
  const readers = Array.from(calls.values()).flatMap(({ name, kwargs }) =>
    Array.from(kwargs, ([key, right]) => {
      const read = (text: string) => {
        const first = isList(right) ? right.slice(0, 1) : [right];
        const list = text.split('');
        for (const value of [text, list, text.split(/[ ,]/), [...first, ...list], list.map(() => first[0] ?? text)]) {
          replayStep(pack, openOverlay(pack), { name, kwargs: new Map(kwargs).set(key, value) }, () => '');
        }
      };
      return [`the argument ${key} of the tool ${name} (${domain})`, read] as const;
    }),
  );
  testLinear(Object.fromEntries(readers), { longest: 2 ** 13, texts: PLAIN_TEXTS });
}

test('a calculation of nested stars ends, although its parts are parsed twice at each level', () => {
  for (const part of ['(*', '(*1+', '(**', '(1(', '(1 (', '(*1(', '-(', '(*(']) {
    for (const inside of ['', '1', '*']) {
      for (const after of ['', '1', ' 1', '*1', '+']) {
        const depth = 60;
        expect(calculate(part.repeat(depth) + inside + `)${after}`.repeat(depth))).toMatch(/./);
      }
    }
  }
});

test('a deeply nested value is written on one line below a certain depth', () => {
  const deep = '['.repeat(60) + ']'.repeat(60);
  const text = dumpJson(parseJson(deep), { indent: 2 });
  expect(text.replace(/\s/g, '')).toBe(deep);
  expect(Math.max(...text.split('\n').map((line) => line.search(/\S/)))).toBe(80);
});
