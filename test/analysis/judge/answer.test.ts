import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '../../../src/analysis/judge/answer.ts';

const LINES = [
  { speaker: 'Customer', text: 'I want to return the  lamp\nand the chair.' },
  { speaker: 'Agent calls', text: 'return_items({"ids": ["11"]})' },
];

function answer(classification: string, quotes: readonly string[] = []) {
  return { classification, description: ' The chair was left out. ', quotes };
}

describe('the choice', () => {
  it.each([
    ['B', 'agent'],
    ['b', 'agent'],
    [' (C) the rest', 'environment'],
    ['A: the customer', 'user'],
    ['agent', 'agent'],
    ['User', 'user'],
  ])('%j is %s', (given, choice) => {
    expect(readAnswer('author', answer(given), LINES)).toMatchObject({
      choice,
      description: 'The chair was left out.',
    });
  });

  it.each(['', 'D', 'Both', 'the agent', '1', 'An agent'])('%j is none', (given) => {
    expect(readAnswer('author', answer(given), LINES)).toBeNull();
  });

  it('is one of five for the fault', () => {
    const choices = ['A', 'B', 'C', 'D', 'E'].map((letter) => readAnswer('fault', answer(letter), LINES)?.choice);
    expect(choices).toEqual([
      'called_wrong_tool',
      'used_wrong_tool_argument',
      'goal_partially_completed',
      'took_unintended_action',
      'other',
    ]);
  });

  it('cannot be read where there is no object, or no classification', () => {
    expect(readAnswer('author', null, LINES)).toBeNull();
    expect(readAnswer('author', { classification: null, description: 'B', quotes: null }, LINES)).toBeNull();
    expect(readAnswer('author', { classification: ['B'], description: 'B', quotes: null }, LINES)).toBeNull();
  });
});

describe('quotes', () => {
  it('are found whatever the white space, and with what a model copies along', () => {
    const given = [
      'return the lamp and the chair',
      '[2] Agent calls: return_items({"ids": ["11"]})',
      '“I want to return”',
    ];
    expect(readAnswer('author', answer('B', given), LINES)).toMatchObject({
      quotes: ['return the lamp and the chair', 'return_items({"ids": ["11"]})', 'I want to return'],
      unfoundQuotes: 0,
    });
  });

  it('that nobody has said are left out, and counted', () => {
    const given = ['the table', 'THE LAMP', 'chair. return_items', '…', 'the chair'];
    expect(readAnswer('author', answer('B', given), LINES)).toMatchObject({ quotes: ['the chair'], unfoundQuotes: 4 });
  });

  it('may be one text, and none', () => {
    expect(readAnswer('author', { ...answer('B'), quotes: 'the chair' }, LINES)?.quotes).toEqual(['the chair']);
    expect(readAnswer('author', { ...answer('B'), quotes: null }, LINES)).toMatchObject({
      quotes: [],
      unfoundQuotes: 0,
    });
  });

  it('never hold what is in no line', () => {
    const texts = LINES.map(({ text }) => text.replace(/\s+/g, ' '));
    fc.assert(
      fc.property(fc.array(fc.string()), (given) => {
        const read = readAnswer('author', answer('B', given), LINES);
        for (const quote of read?.quotes ?? []) expect(texts.some((text) => text.includes(quote))).toBe(true);
        expect(read?.quotes.length ?? 0).toBeLessThanOrEqual(5);
      }),
    );
  });
});
