import { describe, expect, it } from 'vitest';

import {
  observeSteps,
  type StepEvent,
  type AgentSession,
  type AssistantMessage,
  type Completion,
} from '../../src/agents/index.ts';
import { StepWatchError } from '../../src/agents/fastworkflow/public.ts';
import { toolCalling } from '../../src/agents/testing.ts';
import { STOP_MARKER } from '../../src/benchmarks/index.ts';
import { action, dict } from '../benchmarks/helpers.ts';
import { fakeSession, OPTIONS } from './fake-session.ts';

const LOOK = action('get_order_details', '{"order_id": "#W1"}');
const REQUEST = { role: 'agent', thread: 'agent', messages: [] } as const;

const calling = (name: string, text: string): AssistantMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: text } }],
});

/** A session whose n-th call costs n cents and n tokens of each kind; a negative price is unknown. */
function pricedSession(prices: readonly number[] = []): AgentSession {
  const fake = fakeSession({ replies: Array.from({ length: 20 }, () => 'Hm.'), userReplies: ['Yes.'] });
  let calls = 0;
  return {
    ...fake,
    async complete(request): Promise<Completion> {
      const completion = await fake.complete(request);
      calls += 1;
      const price = prices[calls - 1] ?? calls / 100;
      const usage = { promptTokens: calls, completionTokens: calls, cachedTokens: calls, reasoningTokens: calls };
      return { ...completion, usage, costUsd: price < 0 ? null : price };
    },
  };
}

describe('a watcher of an episode', () => {
  it('gets each step with its result and the usage of the calls since the step before', async () => {
    const events: StepEvent[] = [];
    const session = observeSteps(pricedSession(), (event) => events.push(event));
    await session.complete(REQUEST);
    await session.complete(REQUEST);
    await session.step(LOOK);
    await session.step(action('respond', '{"content": "Shall I?"}'));
    await session.complete(REQUEST);
    await session.step(action('respond', '{"content": "Done."}'));
    const none = { calls: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    expect(events).toEqual<StepEvent[]>([
      {
        action: LOOK,
        observation: 'ok',
        reward: 0,
        done: false,
        info: { source: 'get_order_details' },
        step: 1,
        usage: { calls: 2, promptTokens: 3, completionTokens: 3, cachedTokens: 3, reasoningTokens: 3 },
        costUsd: 0.03,
      },
      {
        action: { name: 'respond', kwargs: dict('{"content": "Shall I?"}') },
        observation: 'Yes.',
        reward: 0,
        done: false,
        info: { source: 'user' },
        step: 2,
        usage: none,
        costUsd: 0,
      },
      {
        action: { name: 'respond', kwargs: dict('{"content": "Done."}') },
        observation: STOP_MARKER,
        reward: null,
        done: true,
        info: { source: 'user' },
        step: 3,
        usage: { calls: 1, promptTokens: 3, completionTokens: 3, cachedTokens: 3, reasoningTokens: 3 },
        costUsd: 0.03,
      },
    ]);
  });

  it('gets no cost of a step if the price of one of its calls is unknown', async () => {
    const costs: (number | null)[] = [];
    const session = observeSteps(pricedSession([0.5, -1, 0.25]), ({ costUsd }) => costs.push(costUsd));
    await session.complete(REQUEST);
    await session.complete(REQUEST);
    await session.step(LOOK);
    await session.complete(REQUEST);
    await session.step(LOOK);
    expect(costs).toEqual([null, 0.25]);
  });

  it('works with any strategy, and runs before the strategy continues', async () => {
    const order: string[] = [];
    const fake = fakeSession({
      replies: [calling('get_order_details', '{"order_id": "#W1"}'), 'Bye.'],
      tool: () => {
        order.push('step taken');
        return 'ok';
      },
    });
    const session = observeSteps(fake, ({ action: { name } }) => order.push(`event ${name}`));
    const asked = {
      ...session,
      complete: (request: typeof REQUEST) => (order.push('call'), session.complete(request)),
    };
    expect(await toolCalling.solve(asked, OPTIONS)).toBe('done');
    expect(order).toEqual(['call', 'step taken', 'event get_order_details', 'call', 'event respond']);
    expect(fake.trajectory).toHaveLength(6);
  });

  it('does not change the arguments of a step or the rest of the session', async () => {
    const seen: unknown[] = [];
    const fake = fakeSession({ replies: [], firstMessage: 'Hi.' });
    const inner: AgentSession = {
      ...fake,
      step: (taken, settings) => {
        seen.push(settings);
        return fake.step(taken);
      },
    };
    const session = observeSteps(inner, () => undefined);
    await session.step(LOOK, { continues: true });
    session.count('plans', 2);
    session.transcribe({ what: 'plan', text: '1. Look.' });
    expect(seen).toEqual([{ continues: true }]);
    expect({ env: session.env, first: session.firstMessage, left: session.stepsLeft() }).toEqual({
      env: 'retail',
      first: 'Hi.',
      left: 29,
    });
    expect(session.trajectory).toBe(fake.trajectory);
    expect([...fake.counts]).toEqual([['plans', 2]]);
    expect(fake.transcript).toEqual([{ what: 'plan', text: '1. Look.' }]);
  });

  it('gets no failed step, whose calls then belong to the next step', async () => {
    const events: StepEvent[] = [];
    const inner = pricedSession();
    const failing = { ...inner, step: () => Promise.reject(new Error('no worker')) };
    const both = { current: failing as AgentSession };
    const session = observeSteps({ ...inner, step: (...args) => both.current.step(...args) }, (e) => events.push(e));
    await session.complete(REQUEST);
    await expect(session.step(LOOK)).rejects.toThrow('no worker');
    both.current = inner;
    await session.step(LOOK);
    expect(events).toMatchObject([{ step: 1, usage: { calls: 1 } }]);
  });
});

describe('a watcher that throws', () => {
  it('stops the episode with its error, keeps the step, and gets correct later events', async () => {
    const events: StepEvent[] = [];
    const inner = pricedSession();
    const session = observeSteps(inner, (event) => {
      if (event.step === 1) throw new TypeError('metrics is undefined');
      events.push(event);
    });
    await session.complete(REQUEST);
    const failure = await session.step(LOOK).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StepWatchError);
    expect(failure).toMatchObject({
      step: 1,
      message:
        'the callback for step 1 (get_order_details) failed: metrics is undefined; the step was taken, fix the callback',
      cause: expect.any(TypeError) as Error,
    });
    expect(inner.stepsLeft()).toBe(29);
    await session.complete(REQUEST);
    await session.step(LOOK);
    expect(events).toMatchObject([{ step: 2, usage: { calls: 1, promptTokens: 2 }, costUsd: 0.02 }]);
  });

  it('does not affect a watcher closer to the session', async () => {
    const heard: number[] = [];
    const close = observeSteps(pricedSession(), ({ step }) => heard.push(step));
    const session = observeSteps(close, () => {
      throw new Error('full');
    });
    await expect(session.step(LOOK)).rejects.toThrow(StepWatchError);
    expect(heard).toEqual([1]);
  });
});
