import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  QUESTIONS,
  conversationLines,
  judgePrompt,
  readJudgeAnswer,
  measureJudgeAgreement,
  FAULT_TYPES,
  type JudgedEpisode,
} from '../../src/analysis/index.ts';
import type { TwoOpinions } from '../../src/analysis/testing.ts';

const MESSAGES = [
  { role: 'system', content: 'Policy.' },
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    content: 'One moment.',
    tool_calls: [{ function: { name: 'pay', arguments: '{"amount": 131.0}' } }],
  },
  { role: 'tool', name: 'pay', content: 'paid' },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  { role: 'user', content: '###STOP###' },
];

const EPISODE: JudgedEpisode = {
  instruction: 'You want to pay.',
  actions: [{ name: 'pay', kwargs: new Map([['order_id', '#W1']]) }],
  outputs: ['10'],
  lines: conversationLines(MESSAGES),
  calls: [],
  ending: 'The customer ended the conversation.',
};

describe('a conversation as a judge reads it', () => {
  it('shows tool calls and their answers, and no system message', () => {
    expect(conversationLines(MESSAGES)).toEqual([
      { speaker: 'Customer', text: 'Hello' },
      { speaker: 'Agent', text: 'One moment.' },
      { speaker: 'Agent calls', text: 'pay({"amount": 131.0})' },
      { speaker: 'Answer of pay', text: 'paid' },
      { speaker: 'Agent', text: 'Done.' },
      { speaker: 'Customer', text: '###STOP###' },
    ]);
  });

  it('distinguishes the tools of agents without a tool API from the user', () => {
    const lines = conversationLines([
      { role: 'assistant', content: 'Action:\n{"name": "pay"}' },
      { role: 'user', content: 'API output: paid' },
    ]);
    expect(lines.map(({ speaker }) => speaker)).toEqual(['Agent', 'Answer of the tool']);
  });

  it('survives messages without anything', () => {
    expect(conversationLines([{ role: 'assistant', content: null }, { role: 'tool' }])).toEqual([
      { speaker: 'Answer of the tool', text: '' },
    ]);
  });
});

describe("a judge's prompt", () => {
  it('has the instruction, the right calls, the outputs and the conversation, also for a task with outputs', () => {
    const { user } = judgePrompt('author', EPISODE, 1);
    for (const part of ['You want to pay.', '"order_id": "#W1"', '["10"]', '[3] Agent calls: pay(', EPISODE.ending]) {
      expect(user).toContain(part);
    }
    expect(user).not.toContain('Policy.');
    expect(user).toContain('B: the agent');
    expect(user).not.toContain('could not be read');
  });

  it('says when an answer could not be read, and is another for the other question', () => {
    expect(judgePrompt('author', EPISODE, 2).user).toContain('could not be read');
    const { user } = judgePrompt('fault', EPISODE, 1);
    expect(user).toContain(QUESTIONS.fault.text);
    expect(user).not.toContain(QUESTIONS.author.text);
  });

  it('lists calls whose place is not recorded', () => {
    const calls = [{ name: 'refund', kwargs: new Map() }];
    expect(judgePrompt('author', { ...EPISODE, calls }, 1).user).toContain('"name": "refund"');
  });
});

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
    expect(readJudgeAnswer('author', answer(given), LINES)).toMatchObject({
      choice,
      description: 'The chair was left out.',
    });
  });

  it.each(['', 'D', 'Both', 'the agent', '1', 'An agent'])('%j is none', (given) => {
    expect(readJudgeAnswer('author', answer(given), LINES)).toBeNull();
  });

  it('of a fault is one of five', () => {
    const choices = ['A', 'B', 'C', 'D', 'E'].map((letter) => readJudgeAnswer('fault', answer(letter), LINES)?.choice);
    expect(choices).toEqual([
      'called_wrong_tool',
      'used_wrong_tool_argument',
      'goal_partially_completed',
      'took_unintended_action',
      'other',
    ]);
  });

  it('cannot be read where there is no object, or no classification', () => {
    expect(readJudgeAnswer('author', null, LINES)).toBeNull();
    expect(readJudgeAnswer('author', { classification: null, description: 'B', quotes: null }, LINES)).toBeNull();
    expect(readJudgeAnswer('author', { classification: ['B'], description: 'B', quotes: null }, LINES)).toBeNull();
  });
});

describe('quotes', () => {
  it('are found whatever the white space, and with what a model copies along', () => {
    const given = [
      'return the lamp and the chair',
      '[2] Agent calls: return_items({"ids": ["11"]})',
      '“I want to return”',
    ];
    expect(readJudgeAnswer('author', answer('B', given), LINES)).toMatchObject({
      quotes: ['return the lamp and the chair', 'return_items({"ids": ["11"]})', 'I want to return'],
      unfoundQuotes: 0,
    });
  });

  it('that nobody has said are left out, and counted', () => {
    const given = ['the table', 'THE LAMP', 'chair. return_items', '…', 'the chair'];
    expect(readJudgeAnswer('author', answer('B', given), LINES)).toMatchObject({
      quotes: ['the chair'],
      unfoundQuotes: 4,
    });
  });

  it('may be one text, and none', () => {
    expect(readJudgeAnswer('author', { ...answer('B'), quotes: 'the chair' }, LINES)?.quotes).toEqual(['the chair']);
    expect(readJudgeAnswer('author', { ...answer('B'), quotes: null }, LINES)).toMatchObject({
      quotes: [],
      unfoundQuotes: 0,
    });
  });

  it('never hold what is in no line', () => {
    const texts = LINES.map(({ text }) => text.replace(/\s+/g, ' '));
    fc.assert(
      fc.property(fc.array(fc.string()), (given) => {
        const read = readJudgeAnswer('author', answer('B', given), LINES);
        for (const quote of read?.quotes ?? []) expect(texts.some((text) => text.includes(quote))).toBe(true);
        expect(read?.quotes.length ?? 0).toBeLessThanOrEqual(5);
      }),
    );
  });
});

const agent = (
  faultType: TwoOpinions['faultType'],
  deterministic: TwoOpinions['deterministic'] = faultType,
): TwoOpinions => ({ author: 'agent', faultType, deterministic });

describe('the agreement of two opinions', () => {
  it('counts authors and fault types apart', () => {
    const user: TwoOpinions = { author: 'user', faultType: null, deterministic: 'other' };
    const opinions = [
      agent('other'),
      agent('called_wrong_tool'),
      agent('called_wrong_tool', 'goal_partially_completed'),
      agent('called_wrong_tool', 'goal_partially_completed'),
      agent('other', null),
      user,
      { ...user, deterministic: null },
      // The judge's second answer cannot be read.
      agent(null, 'other'),
    ];
    expect(measureJudgeAgreement(opinions)).toEqual({
      compared: 8,
      sameAuthor: 6,
      typesCompared: 4,
      sameType: 2,
      pairs: [
        { judge: 'called_wrong_tool', deterministic: 'goal_partially_completed', count: 2 },
        { judge: 'other', deterministic: 'other', count: 1 },
        { judge: 'called_wrong_tool', deterministic: 'called_wrong_tool', count: 1 },
        { judge: 'other', deterministic: null, count: 1 },
        { judge: null, deterministic: 'other', count: 1 },
        { judge: null, deterministic: null, count: 1 },
      ],
    });
  });

  it('of none is none', () => {
    expect(measureJudgeAgreement([])).toEqual({ compared: 0, sameAuthor: 0, typesCompared: 0, sameType: 0, pairs: [] });
  });

  it('is whole where both always say the same, and its pairs add up', () => {
    const type = fc.option(fc.constantFrom(...FAULT_TYPES), { nil: null });
    const opinion = fc.tuple(type, type).map(([faultType, deterministic]): TwoOpinions => ({
      author: faultType === null ? 'environment' : 'agent',
      faultType,
      deterministic,
    }));
    fc.assert(
      fc.property(fc.array(opinion), (opinions) => {
        const { compared, sameAuthor, sameType, typesCompared, pairs } = measureJudgeAgreement(opinions);
        expect(pairs.reduce((sum, { count }) => sum + count, 0)).toBe(compared);
        expect(sameType).toBeLessThanOrEqual(typesCompared);
        expect(typesCompared).toBeLessThanOrEqual(sameAuthor);
        const same = measureJudgeAgreement(opinions.map((one) => ({ ...one, deterministic: one.faultType })));
        expect([same.sameAuthor, same.sameType]).toEqual([compared, same.typesCompared]);
      }),
    );
  });
});
