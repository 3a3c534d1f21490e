import { describe, expect, it } from 'vitest';
import {
  formatAction,
  type AgentAnswer,
  type ServicePort,
  type ServiceCalls,
  type ServiceRequest,
  type AgentSession,
  type Message,
  type SolveEnd,
} from '../../src/agents/index.ts';
import { serviceStrategy } from '../../src/agents/testing.ts';
import type { Action } from '../../src/benchmarks/index.ts';

type Ask = (request: ServiceRequest, calls: ServiceCalls) => Promise<AgentAnswer> | AgentAnswer;

/** Lets a service play against users and tools that are written down. */
async function play(asks: readonly Ask[], { user = ['thanks ###STOP###'], maxSteps = 30, ends = 'transfer' } = {}) {
  const steps: string[] = [];
  const requests: ServiceRequest[] = [];
  const trajectory: Message[] = [];
  const replies = [...user];
  const service: ServicePort = {
    ask: async (request, calls) => {
      const ask = asks[requests.length];
      requests.push(request);
      if (ask === undefined) throw new Error('asked too often');
      return await ask(request, calls);
    },
  };
  const session: AgentSession = {
    env: 'retail',
    firstMessage: 'hello',
    trajectory,
    service,
    stepsLeft: () => maxSteps - steps.length,
    complete: () => Promise.reject(new Error('no model')),
    step: (action: Action) => {
      steps.push(formatAction(action));
      if (action.name !== 'respond') {
        return Promise.resolve({ observation: 'ok', source: action.name, done: action.name === ends });
      }
      const observation = replies.shift() ?? '###STOP###';
      return Promise.resolve({ observation, source: 'user', done: observation.includes('###STOP###') });
    },
    count: () => undefined,
    transcribe: () => undefined,
  };
  let end: SolveEnd | Error;
  try {
    end = await serviceStrategy.solve(session, { omitPolicy: false, useReasoning: true });
  } catch (error) {
    end = error as Error;
  }
  return { end, steps, requests, trajectory };
}

const say = (content: string): AgentAnswer => ({ kind: 'message', content });
const call = (name: string, argumentsJson = '{}', id = 'c1') => ({ id, name, argumentsJson });

describe('the conversation of an agent service', () => {
  it('alternates between messages of user and agent', async () => {
    const played = await play([() => say('hi'), () => say('bye')], { user: ['more', 'ok ###STOP###'] });
    expect(played.end).toBe('done');
    expect(played.requests).toEqual([
      { turn: 1, fresh: 1 },
      { turn: 2, fresh: 1 },
    ]);
    expect(
      played.trajectory.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : ''}`),
    ).toEqual(['user: hello', 'assistant: hi', 'user: more', 'assistant: bye', 'user: ok ###STOP###']);
  });

  it('executes the calls of an answer in order, and sends their results in the same turn', async () => {
    const calls = [call('find', '{"a": 1.0}', 'x'), call('get', '{}', 'y')];
    const played = await play([() => ({ kind: 'tool_calls', calls }), () => say('done')]);
    expect(played.steps).toEqual(['find {"a": 1.0}', 'get {}', 'respond {"content": "done"}']);
    expect(played.requests[1]).toEqual({ turn: 1, fresh: 4 });
    expect(played.trajectory.slice(1, 3)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'find', arguments: '{"a": 1.0}' } }],
      },
      { role: 'tool', tool_call_id: 'x', name: 'find', content: 'ok' },
    ]);
  });

  it('ends with a call that ends the episode, in an answer or while the agent works', async () => {
    const calls = [call('transfer'), call('get')];
    expect(await play([() => ({ kind: 'tool_calls', calls })])).toMatchObject({ end: 'done', steps: ['transfer {}'] });
    const during = await play([
      async (_, calls) => {
        await calls.take({ name: 'transfer', kwargs: new Map() });
        return { kind: 'over' };
      },
    ]);
    expect(during).toMatchObject({ end: 'done', steps: ['transfer {}'] });
  });

  it('can run out of steps in the middle of an answer, and while the agent works', async () => {
    const calls = [call('a'), call('b'), call('c')];
    expect(await play([() => ({ kind: 'tool_calls', calls })], { maxSteps: 2 })).toMatchObject({
      end: 'max_steps',
      steps: ['a {}', 'b {}'],
    });
    expect((await play([() => ({ kind: 'over' })], { maxSteps: 0 })).end).toBe('max_steps');
  });

  it('sends messages to the user by a tool if the agent has no turns', async () => {
    const said = call('respond_to_user', '{"content": "Hello"}');
    const { steps } = await play([() => ({ kind: 'tool_calls', calls: [said] }), () => ({ kind: 'end' })]);
    expect(steps).toEqual(['respond {"content": "Hello"}']);
  });

  it('ends when the agent ends it', async () => {
    expect((await play([() => ({ kind: 'end' })])).end).toBe('agent_stop');
  });

  it.each([
    ['arguments that are no JSON', call('get', '{"a": '), 'invalid_tool_arguments'],
    ['arguments that are no object', call('get', '[1]'), 'invalid_tool_arguments'],
    ['respond as a tool', call('respond', '{"content": "hi"}'), 'invalid_action'],
    ['words to the user that are no text', call('respond_to_user', '{"content": 3}'), 'invalid_action'],
  ])('fails the agent for %s', async (_, wrong, kind) => {
    expect((await play([() => ({ kind: 'tool_calls', calls: [wrong] })])).end).toMatchObject({ kind });
  });
});
