/** The judge of τ³-bench's sentences: its prompt, and its replies, which may be anything. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nlJudgePrompt, readNlVerdicts } from '../../../src/benchmarks/tau3/testing.ts';
import { tau3Dir } from '../../helpers/tau3-folder.ts';
import { dict, field, text } from '../helpers.ts';

const SENTENCES = ['Agent is kind.', "Agent doesn't refund."];
const result = (expectedOutcome: string, metExpectation: unknown, reasoning: unknown = 'So it is.') => ({
  expectedOutcome,
  metExpectation,
  reasoning,
});
const read = (results: unknown) => readNlVerdicts(JSON.stringify({ results }), SENTENCES);

describe('the prompt', () => {
  const messages = [
    { role: 'assistant', text: 'Hi!' },
    { role: 'user', text: null, calls: [] },
    { role: 'tool', text: '{}' },
  ] as const;

  it('has the conversation and the sentences as Python writes them', () => {
    expect(nlJudgePrompt(messages, SENTENCES).user).toBe(
      '\n        conversation:\n        assistant: Hi!\nuser: None\ntool: {}\n        \n' +
        `        expectedOutcomes:\n        ['Agent is kind.', "Agent doesn't refund."]\n        `,
    );
  });

  it.skipIf(tau3Dir === null)('is the reference’s, word for word', () => {
    const prompts = dict(readFileSync(join(tau3Dir ?? '', 'prompts.json'), 'utf8'));
    const { system, user } = nlJudgePrompt([{ role: 'user', text: 'x' }], ['y']);
    expect(system).toBe(text(field(prompts, 'nl_judge_system_prompt')));
    const wanted = text(field(prompts, 'nl_judge_user_prompt'));
    expect(user).toBe(wanted.replace('{trajectory_str}', 'user: x').replace('{nl_assertions}', "['y']"));
  });
});

describe('the reply', () => {
  it('is read by the sentences that it repeats, in any order, or by their places', () => {
    expect(read([result(SENTENCES[1] ?? '', false), result(' Agent is kind.', true)])?.map(({ met }) => met)).toEqual([
      true,
      false,
    ]);
    expect(read([result('first', true), result('second', false)])).toEqual([
      { assertion: 'Agent is kind.', met: true, reason: 'So it is.' },
      { assertion: "Agent doesn't refund.", met: false, reason: 'So it is.' },
    ]);
  });

  it('can be in a block of Markdown', () => {
    const results = [result('a', true), result('b', true)];
    expect(readNlVerdicts(`Sure:\n\`\`\`json\n${JSON.stringify({ results })}\n\`\`\``, SENTENCES)).toHaveLength(2);
  });

  it.each([
    ['nothing', null],
    ['words', 'They are met.'],
    ['a list', '[]'],
    ['no results', '{}'],
    ['braces', '}{'],
    ['deep nesting', `{"results": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a long text', `{"results": "${'x'.repeat(300_000)}"}`],
    ['one sentence of two', JSON.stringify({ results: [result('Agent is kind.', true)] })],
    ['a verdict in words', JSON.stringify({ results: [result('a', 'true'), result('b', true)] })],
    ['no reason', JSON.stringify({ results: [result('a', true, null), result('b', true)] })],
  ])('cannot be parsed: %s', (_name, reply) => {
    expect(readNlVerdicts(reply, SENTENCES)).toBeNull();
  });

  it('never throws, and keeps reasons short', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (reply) => void readNlVerdicts(reply, SENTENCES)));
    const [verdict] = read([result('a', true, 'x'.repeat(5000)), result('b', true)]) ?? [];
    expect(verdict?.reason).toHaveLength(1000);
  });
});
