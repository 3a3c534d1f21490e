import { describe, expect, it } from 'vitest';
import type { CompletionRequest, PromptRef } from '../../../src/agents/index.ts';
import { llmUser, reactReferenceUser, reactUser, humanUser } from '../../../src/agents/users/testing.ts';
import { findUserStrategy, userStrategies, UserReplyError } from '../../../src/agents/users/index.ts';
import { completion, toAsked } from '../fake-session.ts';
import { MAX_ANSWER_CHARS } from '../../../src/episode/testing.ts';
import { findAnswerProblem, type HumanAnswer, type OpenQuestion } from '../../../src/episode/index.ts';

function sessionWith(answers: readonly (string | null)[], expand: (ref: PromptRef) => string) {
  const asked: object[] = [];
  const requests: CompletionRequest[] = [];
  const queue = [...answers];
  return {
    asked,
    requests,
    person: () => Promise.reject(new Error('no person is asked')),
    complete(request: CompletionRequest) {
      requests.push(request);
      asked.push(toAsked(structuredClone(request), expand).messages);
      return Promise.resolve(completion(queue.shift() ?? null));
    },
  };
}

describe('the llm user', () => {
  const expand = (ref: PromptRef) => ref.ref;

  it('makes its calls under the role user, on one thread', async () => {
    const session = sessionWith(['Hi'], expand);
    await llmUser(session).open();
    expect(session.requests[0]).toMatchObject({ role: 'user', thread: 'user' });
  });

  it('gets an empty message if the agent sends no text', async () => {
    const session = sessionWith(['Hi', 'Hello?'], expand);
    const user = llmUser(session);
    await user.open();
    await user.reply(null);
    expect(session.asked[1]).toContainEqual({ role: 'user', content: '' });
  });

  it('sends an empty message if its model replies with no text', async () => {
    const user = llmUser(sessionWith([null], expand));
    expect(await user.open()).toBe('');
  });

  it('is found by its name only', () => {
    expect(findUserStrategy('llm')).toBe(userStrategies['llm']);
    expect(findUserStrategy('toString')).toBeUndefined();
  });
});

function userSaying(reply: string, strategy = reactUser) {
  return strategy({
    person: () => Promise.reject(new Error('no person is asked')),
    complete: () => Promise.resolve(completion(reply)),
  });
}

const BOTH = 'Thought:\nI should greet.\n\nUser Response:\n  Hello  \n';

describe('the react user', () => {
  it('shows the agent its response and keeps its thought to itself', async () => {
    expect(await userSaying(BOTH).open()).toBe('Hello');
  });

  it('sends the last of several responses', async () => {
    expect(await userSaying('User Response: a\nUser Response: b').open()).toBe('b');
  });

  it('shows its thought as react-reference', async () => {
    expect(await userSaying(BOTH, reactReferenceUser).open()).toBe('I should greet.\n\nUser Response:\n  Hello');
  });

  it('ends the conversation at a stop marker anywhere in the reply', async () => {
    expect(await userSaying('Thought: done ###STOP### then').open()).toBe('###STOP###');
  });

  it.each(['Thought: only a thought', 'neither', ''])('cannot be read without a response: %j', async (reply) => {
    await expect(userSaying(reply).open()).rejects.toThrow(UserReplyError);
  });
});

describe('the human user', () => {
  it("opens, then gets the agent's messages, and sends typed text unchanged", async () => {
    const heard: (string | null)[] = [];
    const typed = ['  Hi, ', 'Yes.', '###STOP###'];
    const user = humanUser({
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

  it('is accepted if it answers the open question with text', () => {
    expect(findAnswerProblem({ question: 1, text: 'Hi.' }, question(1))).toBeNull();
    expect(findAnswerProblem({ question: 2, text: '###STOP###' }, question(2))).toBeNull();
    expect(findAnswerProblem({ question: 2, text: 'x'.repeat(MAX_ANSWER_CHARS) }, question(2))).toBeNull();
  });

  it.each<[string, HumanAnswer, OpenQuestion | null, string]>([
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
    ['it has no number', { text: 'Hi.' } as HumanAnswer, question(1), 'the number of its question and a text'],
    ['it has no text', { question: 1 } as HumanAnswer, question(1), 'the number of its question and a text'],
    ['it is nothing', null as unknown as HumanAnswer, question(1), 'the number of its question and a text'],
  ])('is refused if %s', (_, answer, open, reason) => {
    expect(findAnswerProblem(answer, open)).toContain(reason);
  });
});
