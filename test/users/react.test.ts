import { describe, expect, it } from 'vitest';
import { UserReplyError } from '../../src/users/session.ts';
import { REACT_USER_COMPAT, reactUser } from '../../src/users/simulators.ts';
import { completion } from '../agents/fake-session.ts';

function userSaying(reply: string, compat: readonly string[] = []) {
  return reactUser({
    compat,
    person: () => Promise.reject(new Error('no person is asked')),
    complete: () => Promise.resolve(completion(reply)),
  });
}

const BOTH = 'Thought:\nI should greet.\n\nUser Response:\n  Hello  \n';

describe('the react user', () => {
  it('tells the agent its response and keeps its thought to itself', async () => {
    expect(await userSaying(BOTH).open()).toBe('Hello');
  });

  it('speaks the last of several responses', async () => {
    expect(await userSaying('User Response: a\nUser Response: b').open()).toBe('b');
  });

  it('leaks its thought where the reference is to be reproduced', async () => {
    expect(await userSaying(BOTH, [REACT_USER_COMPAT]).open()).toBe('I should greet.\n\nUser Response:\n  Hello');
  });

  it('ends the conversation wherever the stop marker stands', async () => {
    expect(await userSaying('Thought: done ###STOP### then').open()).toBe('###STOP###');
  });

  it.each(['Thought: only a thought', 'neither', ''])('cannot be read without a response: %j', async (reply) => {
    await expect(userSaying(reply).open()).rejects.toThrow(UserReplyError);
  });
});
