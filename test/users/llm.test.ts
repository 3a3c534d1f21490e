import { describe, expect, it } from 'vitest';
import type { CompletionRequest, PromptRef } from '../../src/agents/port.ts';
import { llmUser } from '../../src/users/simulators.ts';
import { findUserStrategy, userStrategies } from '../../src/users/index.ts';
import { completion, toAsked } from '../agents/fake-session.ts';

function sessionWith(answers: readonly (string | null)[], expand: (ref: PromptRef) => string) {
  const asked: object[] = [];
  const requests: CompletionRequest[] = [];
  const queue = [...answers];
  return {
    asked,
    requests,
    compat: [],
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

  it('books its calls to the user, on one thread', async () => {
    const session = sessionWith(['Hi'], expand);
    await llmUser(session).open();
    expect(session.requests[0]).toMatchObject({ role: 'user', thread: 'user' });
  });

  it('hears an empty message when the agent says nothing', async () => {
    const session = sessionWith(['Hi', 'Hello?'], expand);
    const user = llmUser(session);
    await user.open();
    await user.reply(null);
    expect(session.asked[1]).toContainEqual({ role: 'user', content: '' });
  });

  it('says nothing when its model says nothing', async () => {
    const user = llmUser(sessionWith([null], expand));
    expect(await user.open()).toBe('');
  });

  it('is found by its name, and nothing else is', () => {
    expect(findUserStrategy('llm')).toBe(userStrategies['llm']);
    expect(findUserStrategy('toString')).toBeUndefined();
  });
});
