/** The rules of the benchmarks' episodes, without a server. */

import { describe, expect, it } from 'vitest';

import { getBenchmark, type EpisodeRules } from '../../src/benchmarks/index.ts';

const TAU3_ENV = 'tau3-telecom';

const user = (content: string) => ({ role: 'user', content });
const agent = (content: string) => ({ role: 'assistant', content });
const call = { done: false } as const;
const failedCall = { done: false, failed: true } as const;

const rulesOf = (env: string, maxSteps = 30): EpisodeRules => getBenchmark(env).openRules({ maxSteps });

/** The rules of an episode of τ³-bench, in which the user has opened. */
function opened(maxSteps?: number): EpisodeRules {
  const rules = rulesOf(TAU3_ENV, maxSteps);
  rules.said('user', { text: 'My phone has no signal.' });
  return rules;
}

/** A message of the agent with calls, and their results. @returns true if the episode has ended with one of them */
function callTools(rules: EpisodeRules, results: readonly (typeof call | typeof failedCall)[]): boolean {
  rules.said('agent', { text: null, toolCalls: results });
  return results.map((result, at) => rules.answered(result, at > 0)).some(Boolean);
}

describe("tau-bench's rules", () => {
  it('count the first call of a reply, and the agent’s own steps', () => {
    const rules = rulesOf('retail');
    expect(rules).toMatchObject({ takesAllCalls: false, hasUserTools: false, refusesSilence: false });
    expect(rules.said('user', { text: 'Hi.' })).toBe(false);
    expect(rules.said('agent', { text: null })).toBe(false);
    expect(rules.stepsLeft(12)).toBe(18);
  });

  it('end an episode at the stop word of the user, and not of the agent', () => {
    const rules = rulesOf('retail');
    expect(rules.said('user', { text: 'Thanks. ###STOP###' })).toBe(true);
    expect(rules.said('agent', { text: '###STOP###' })).toBe(false);
    expect(rules.said('user', { text: '###TRANSFER###' })).toBe(false);
    expect(rules.outcome('done', 'user')).toEqual({ kind: 'user_stop' });
  });

  it('end an episode at a call that the environment ends it with, and at no number of failed ones', () => {
    const rules = rulesOf('retail');
    expect(rules.answered({ done: true }, false)).toBe(true);
    expect(rules.outcome('done', 'transfer_to_human_agents')).toEqual({ kind: 'transferred' });
    expect(Array.from({ length: 20 }, () => rules.answered(failedCall, false)).some(Boolean)).toBe(false);
  });

  it.each([
    ['max_steps', 'max_steps'],
    ['agent_stop', 'agent_stop'],
    ['decided', 'decision_only'],
  ] as const)('give an agent that ended with %s the outcome %s', (end, kind) => {
    expect(rulesOf('airline').outcome(end, null)).toEqual({ kind });
  });

  it('show the agent the conversation as it is', () => {
    const messages = [user('Hi.'), agent('Hello.')];
    expect(rulesOf('retail').agentView(messages, 'Hi.')).toBe(messages);
  });
});

describe('τ³-bench’s rules', () => {
  it('count every call of a reply, as one step with its results', () => {
    const rules = opened(10);
    expect(rules).toMatchObject({ takesAllCalls: true, hasUserTools: true, refusesSilence: true });
    expect(rules.stepsLeft(0)).toBe(9);
    expect(callTools(rules, [call, call, call])).toBe(false);
    expect(rules.stepsLeft(3)).toBe(7);
  });

  it.each(['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'])('end an episode at %s of the user', (word) => {
    const rules = opened();
    expect(rules.said('agent', { text: `Say ${word}` })).toBe(false);
    expect(rules.said('user', { text: `Bye. ${word}` })).toBe(true);
    expect(rules.isOver).toBe(true);
    expect(rules.stepsLeft(1)).toBe(0);
    expect(rules.outcome('max_steps', null)).toEqual({ kind: 'user_stop' });
  });

  it('end an episode at the last step of either side', () => {
    const rules = opened(2);
    expect(rules.said('agent', { text: 'Restart it.' })).toBe(true);
    expect(rules.outcome('done', 'user')).toEqual({ kind: 'max_steps' });
    const calling = opened(3);
    expect(callTools(calling, [call])).toBe(true);
  });

  it('end an episode at the tenth call that failed, of agent and user together', () => {
    const rules = opened();
    expect(
      callTools(
        rules,
        Array.from({ length: 6 }, () => failedCall),
      ),
    ).toBe(false);
    rules.said('agent', { text: 'Try it yourself.' });
    rules.said('user', { text: null, toolCalls: ['a call'] });
    const ends = Array.from({ length: 4 }, (_, at) => rules.answered(failedCall, at > 0));
    expect(ends).toEqual([false, false, false, true]);
    expect(rules.outcome('done', null)).toMatchObject({ kind: 'agent_error', error: 'too_many_errors' });
  });

  it('leave the outcome to the agent where no limit has ended the episode', () => {
    expect(opened().outcome('agent_stop', null)).toEqual({ kind: 'agent_stop' });
    expect(opened().outcome('decided', null)).toEqual({ kind: 'decision_only' });
  });

  it('show the agent its own first message, and no call of the user', () => {
    const messages = [
      { role: 'system', content: 'Help.' },
      user('No signal.'),
      agent('Restart it.'),
      { role: 'user', content: '', tool_calls: ['reboot'] },
      { role: 'tool', content: 'Rebooted.', requestor: 'user' } as const,
      user('It is on.'),
    ];
    expect(opened().agentView(messages, 'No signal.')).toEqual([
      { role: 'system', content: 'Help.' },
      agent('Hi! How can I help you today?'),
      user('No signal.'),
      agent('Restart it.'),
      user('It is on.'),
    ]);
    // A conversation that does not begin with the user's first message, as one that an agent has summarized.
    expect(opened().agentView([agent('a'), user('b')], 'No signal.')).toEqual([agent('a'), user('b')]);
  });
});
