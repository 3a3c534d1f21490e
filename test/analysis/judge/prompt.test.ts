import { describe, expect, it } from 'vitest';

import { QUESTIONS, conversationLines, judgePrompt, type JudgedEpisode } from '../../../src/analysis/judge/prompt.ts';

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

  it('tells the tools of agents without a tool API from the customer', () => {
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
