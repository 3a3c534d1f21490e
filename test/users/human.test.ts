import { describe, expect, it } from 'vitest';
import { humanUser } from '../../src/users/simulators.ts';
import { MAX_ANSWER_CHARS, findAnswerProblem, type Answer, type OpenQuestion } from '../../src/wire/episode.ts';

describe('the human user', () => {
  it('is asked to open, then hears the agent, and what is typed is said as it is', async () => {
    const heard: (string | null)[] = [];
    const typed = ['  Hi, ', 'Yes.', '###STOP###'];
    const user = humanUser({
      compat: [],
      complete: () => Promise.reject(new Error('no model is asked')),
      person: (said) => {
        heard.push(said);
        return Promise.resolve(typed.shift() ?? '');
      },
    });
    expect([await user.open(), await user.reply('Shall I?'), await user.reply(null)]).toEqual([
      '  Hi, ',
      'Yes.',
      '###STOP###',
    ]);
    expect(heard).toEqual([null, 'Shall I?', '']);
  });
});

describe('an answer', () => {
  const question = (number: number): OpenQuestion => ({ number, askedAt: '2026-01-01T00:00:00.000Z' });

  it('is taken when it answers the open question with words', () => {
    expect(findAnswerProblem({ question: 1, text: 'Hi.' }, question(1))).toBeNull();
    expect(findAnswerProblem({ question: 2, text: '###STOP###' }, question(2))).toBeNull();
    expect(findAnswerProblem({ question: 2, text: 'x'.repeat(MAX_ANSWER_CHARS) }, question(2))).toBeNull();
  });

  it.each<[string, Answer, OpenQuestion | null, string]>([
    ['nobody is asked', { question: 1, text: 'Hi.' }, null, 'nobody is asked now'],
    ['it is late', { question: 1, text: 'Hi.' }, question(2), 'question 1 has been answered'],
    ['it is early', { question: 3, text: 'Hi.' }, question(2), 'at question 2, not yet at 3'],
    ['it is empty', { question: 2, text: ' \t' }, question(2), 'must have words'],
    [
      'it is too long',
      { question: 2, text: 'x'.repeat(MAX_ANSWER_CHARS + 1) },
      question(2),
      'may have 10000 characters',
    ],
    ['it ends what is not open', { question: 1, text: '###STOP###' }, question(1), 'has to be opened'],
    ['it has no number', { text: 'Hi.' } as Answer, question(1), 'the number of its question and a text'],
    ['it has no text', { question: 1 } as Answer, question(1), 'the number of its question and a text'],
    ['it is nothing', null as unknown as Answer, question(1), 'the number of its question and a text'],
  ])('is refused when %s', (_, answer, open, reason) => {
    expect(findAnswerProblem(answer, open)).toContain(reason);
  });
});
