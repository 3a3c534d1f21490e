/** An episode's session and the takers of its steps, over plain objects in the place of activities. */

import { describe, expect, it } from 'vitest';
import type { Completion } from '../../src/agents/index.ts';
import { STOP_MARKER } from '../../src/benchmarks/index.ts';
import { OutsideHarness, type StepInput, type ForkInput, type EpisodeInput } from '../../src/episode/index.ts';
import { openSession, ReplayedPrefix, type OpeningParts } from '../../src/episode/testing.ts';
import { action } from '../benchmarks/helpers.ts';

const LOOK = action('get_order_details', '{"order_id": "#W1"}');
const WRITE = action('cancel_pending_order', '{"order_id": "#W1"}');
const SAY = action('respond', '{"content": "Done."}');

const input: EpisodeInput = {
  run: { runId: 'r', logDir: '/nowhere' },
  episode: { taskId: 0, trial: 0 },
  config: {
    env: 'retail',
    split: 'test',
    pack: { name: 'p', digest: 'd', path: '/p' },
    strategy: 'tool-calling',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    agentModel: { provider: 'openai', model: 'm', temperature: 0 },
    userStrategy: 'llm',
    userModel: { provider: 'openai', model: 'm', temperature: 0 },
    maxSteps: 30,
    seed: 10,
    maxRetries: 3,
    episodeTimeoutMs: 1_000,
  },
  queues: { main: 'q', llm: 'q-llm' },
  indexed: false,
  version: 3,
};

function replying(content: string): Completion {
  const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
  return { message: { role: 'assistant', content }, finishReason: 'stop', usage, costUsd: 0, latencyMs: 1 };
}

/** An episode whose clock advances by a second at each look, and whose user says these lines. */
function staged(userLines: readonly string[], changes: Partial<OpeningParts> = {}) {
  const steps: StepInput[] = [];
  let [time, said] = [0, 0];
  const surroundings: OpeningParts = {
    display: { now: () => (time += 1_000), show: () => undefined },
    takeStep: (_, step) => {
      steps.push({ ...step, writes: [...step.writes] });
      const { name } = step.action;
      return Promise.resolve({ observation: `${name} done`, source: name, done: false, changed: name === WRITE.name });
    },
    wait: () => Promise.resolve(),
    complete: () => Promise.resolve(replying('Hm.')),
    completeUser: () => Promise.resolve(replying(userLines[said++] ?? STOP_MARKER)),
    ...changes,
  };
  return { surroundings, steps };
}

describe('a session', () => {
  it('takes tool calls in the environment with the writes before them, and enters each with its metrics', async () => {
    const { surroundings, steps } = staged(['Hi.']);
    const session = await openSession(input, surroundings);
    const watched = session.watched();
    await watched.step(WRITE);
    expect(await watched.step(LOOK)).toEqual({ observation: 'get_order_details done', source: LOOK.name, done: false });
    expect(steps.map(({ writes }) => writes.map(({ name }) => name))).toEqual([[], [WRITE.name]]);
    const timing = { durationMs: 1_000, thinkMs: 1_000 };
    expect(session.steps).toMatchObject([
      { index: 1, name: WRITE.name, changed: true, ...timing },
      { index: 2, name: LOOK.name, changed: false, ...timing },
    ]);
  });

  it('passes messages to the user, who ends the conversation', async () => {
    const { surroundings, steps } = staged(['Hi.', `Bye. ${STOP_MARKER}`]);
    const session = await openSession(input, surroundings);
    expect(session.firstMessage).toBe('Hi.');
    expect(await session.step(SAY)).toMatchObject({ source: 'user', done: true });
    expect([session.turns, session.endedBy, steps]).toEqual([1, 'user', []]);
    expect(session.outcome('done')).toEqual({ kind: 'user_stop' });
  });

  it.each([
    [3, 'missing_content'],
    [2, undefined],
  ])('lets the silence of an agent in version %i end as %s', async (version, kind) => {
    const { surroundings } = staged(['Hi.', 'Hello?']);
    const session = await openSession({ ...input, version }, surroundings);
    const step = session.step(action('respond', '{"content": " "}'));
    await (kind === undefined
      ? expect(step).resolves.toMatchObject({ observation: 'Hello?' })
      : expect(step).rejects.toMatchObject({ kind }));
  });

  it('takes back what came after a point, as if it had never been', async () => {
    const { surroundings, steps } = staged(['Hi.']);
    const session = await openSession(input, surroundings);
    const place = session.place();
    await session.watched().step(WRITE);
    session.abandonFrom(place, { request: 1, attempt: 1 });
    await session.step(LOOK);
    expect([session.steps, steps.at(-1)?.writes]).toEqual([[], []]);
  });
});

describe('an outside harness', () => {
  it('takes messages and tool calls, each once', async () => {
    const waits: (() => void)[] = [];
    const until = () => new Promise<void>((resolve) => void waits.push(resolve));
    const outside = new OutsideHarness({ now: () => 0, show: () => undefined, until });
    const { surroundings, steps } = staged([], { outside });
    const give = (number: number, observation: string) => {
      const given = { number, observation, done: false };
      expect(outside.findProblem(given)).toBeNull();
      outside.observe(given);
      expect(outside.findProblem(given)).toContain('no action waits');
      waits.shift()?.();
    };
    const opening = openSession(input, surroundings);
    give(0, 'Hi.');
    const session = await opening;
    const looking = session.step(LOOK);
    expect(outside.openAction).toMatchObject({ number: 1, action: { name: LOOK.name } });
    give(1, 'It is there.');
    expect(await looking).toMatchObject({ observation: 'It is there.', source: LOOK.name, done: false });
    const saying = session.step(SAY);
    give(2, STOP_MARKER);
    expect(await saying).toMatchObject({ source: 'user', done: true });
    expect([session.turns, steps]).toEqual([1, []]);
  });
});

describe('a replayed prefix', () => {
  const kept = (name: string, kwargsJson: string) => ({
    action: { name, kwargsJson },
    timing: { durationMs: 7, thinkMs: 8 },
    ...{ calls: 2, promptTokens: 3, completionTokens: 4, costUsd: 0.5 },
  });
  const fork: ForkInput = {
    ...{ name: 'fork-1', origin: { workflowId: 'w', workflowRunId: 'x' }, atStep: 2, takenOver: 0, changes: [] },
    corrections: [{ step: 1, observation: 'Odd.' }],
    kept: [kept(LOOK.name, '{"order_id": "#W1"}')],
    replies: [],
  };

  it('gives its steps the corrections and the metrics of the origin', async () => {
    const { surroundings } = staged(['Hi.'], { prefix: new ReplayedPrefix(fork) });
    const session = await openSession({ ...input, fork }, surroundings);
    expect(await session.watched().step(LOOK)).toMatchObject({ observation: 'Odd.' });
    expect(session.steps).toMatchObject([{ durationMs: 7, thinkMs: 8, calls: 2, costUsd: 0.5 }]);
  });

  it('refuses another step than the origin took', async () => {
    const { surroundings } = staged(['Hi.'], { prefix: new ReplayedPrefix(fork) });
    const session = await openSession({ ...input, fork }, surroundings);
    await expect(session.step(WRITE)).rejects.toMatchObject({ name: 'EpisodeError', type: 'ForkDiverged' });
  });
});
