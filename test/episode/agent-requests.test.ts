/** Agents that are services: their calls, answers and limits, and what happens where one is asked again. */

import { describe, expect, it } from 'vitest';
import type { EpisodeInput } from '../../src/episode/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { buildFork, type EpisodeRecord } from '../../src/run-log/index.ts';
import { STOP } from '../workflows/models.ts';
import { write as findWrite, LIST } from '../workflows/service-rig.ts';
import { playAgent, say } from './agents.ts';
import { playLines } from './models.ts';
import { failing, findPack, PlayedFailure, releasingHolder, stageEpisode, stagedConfig, type Cast } from './stage.ts';

const write = findWrite(await findPack('retail'));
const WRITE = [write.name, write.args] as const;
const LOOK_UP = ['find_user_id_by_email', { email: 'nobody@example.com' }] as const;
const STRATEGY = { omitPolicy: false, useReasoning: true, agentUrl: 'http://agent' };
const RESTARTING = { strategyOptions: { ...STRATEGY, agentDiverged: 'restart' } };

async function play(
  agent: ReturnType<typeof playAgent>,
  user: readonly string[],
  changes: Partial<EvaluationConfig> = {},
  { cast, ...input }: Partial<EpisodeInput> & { readonly cast?: Partial<Cast> } = {},
) {
  const config = await stagedConfig({ strategy: 'agent-service', strategyOptions: STRATEGY, ...changes });
  const { complete } = playLines({ user });
  const played = await stageEpisode({ config, ...input }, { complete, agent: agent.agent, ...cast });
  return { ...played, config };
}

const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
const forward: Required<Cast>['forward'] = ({ call }) =>
  Promise.resolve({
    ...{ servedModel: 'm', finishReason: 'stop', usage, costUsd: 0.5, latencyMs: 1, attempt: 1 },
    ...{ status: 200, body: `answer to ${call}` },
  });

const stepsTaken = (activities: readonly string[]) => activities.filter((summary) => summary.startsWith('step'));
const namesOf = ({ actions }: EpisodeRecord) => actions.map(({ name }) => name);

describe('an agent that is a service', () => {
  it('calls tools while it works, and is graded as any agent', async () => {
    const agent = playAgent(async ({ turn, tool }) => {
      if (turn === 1) expect(await tool(...WRITE)).toMatchObject({ done: false });
      return say('done');
    });
    const { summary, record } = await play(agent, ['hi', 'thanks', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3, turns: 2, agentCostUsd: null });
    expect(record.trajectory.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'],
    ]);
    expect(agent.requests.map(({ turn, request, fresh, messages }) => [turn, request, fresh, messages.length])).toEqual(
      [
        [1, 1, 1, 1],
        [2, 2, 1, 5],
      ],
    );
  });

  it('calls tools in its answer, and gets their results', async () => {
    const calls = [
      { id: 'a', name: write.name, argumentsJson: JSON.stringify(write.args) },
      { id: 'x', name: 'no_such_tool', argumentsJson: '{}' },
    ];
    const agent = playAgent(({ request }) => (request === 1 ? { kind: 'tool_calls', calls } : say('done')));
    const { summary, activities } = await play(agent, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests[1]).toMatchObject({ turn: 1, request: 2, fresh: 4 });
    expect(agent.requests[1]?.messages.at(-1)).toMatchObject({ content: 'Unknown action no_such_tool' });
    expect(activities).toContain('turn 1, request 2');
  });

  it('has its costs by the parts that it names, and is answered once what it asks again', async () => {
    const heard: unknown[] = [];
    const agent = playAgent(async ({ complete, attempt, die }) => {
      for (let call = 0; call < 22; call++) heard.push(await complete(`call ${call}`, `part-${call}`));
      if (attempt === 1) die();
      return say('done');
    });
    const { record } = await play(agent, ['hi', STOP], {}, { cast: { forward } });
    const calls = record.usage.filter(({ role }) => role.startsWith('agent')).map(({ role, calls }) => [role, calls]);
    expect(calls).toHaveLength(21);
    expect(calls).toContainEqual(['agent/part-19', 1]);
    expect(calls).toContainEqual(['agent', 2]);
    expect(heard.slice(22)).toEqual(heard.slice(0, 22));
    expect(heard[0]).toEqual({ status: 200, body: 'answer to agent 1' });
  });

  it('has no more steps than the run allows, whatever it calls', async () => {
    let last: object = {};
    const agent = playAgent(async ({ tool }) => {
      for (let calls = 0; calls < 100 && !('refused' in last); calls++) last = await tool(...LIST);
      return { answer: { kind: 'over' } };
    });
    const { summary } = await play(agent, ['hi'], { maxSteps: 3 });
    expect(summary).toMatchObject({ outcome: 'max_steps', steps: 3 });
    expect(last).toMatchObject({ refused: 'over' });
  });

  it('ends the episode with a transfer', async () => {
    const agent = playAgent(async ({ tool }) => {
      expect(await tool('transfer_to_human_agents', { summary: 'x' })).toMatchObject({ done: true });
      return { answer: { kind: 'over' } };
    });
    expect((await play(agent, ['hi'])).summary).toMatchObject({ outcome: 'transferred', steps: 1 });
  });

  it('ends the conversation itself', async () => {
    expect(
      (
        await play(
          playAgent(() => ({ kind: 'end' })),
          ['hi'],
        )
      ).summary,
    ).toMatchObject({
      ...{ outcome: 'agent_stop', steps: 0 },
    });
  });

  it.each([
    ['InvalidAnswer', 'agent_error', 'unparsable_reply'],
    ['AgentFailed', 'agent_error', 'agent_failed'],
    ['RequestRefused', 'infrastructure_error', 'RequestRefused'],
  ])('that fails with %s has the outcome %s', async (type, kind, error) => {
    const agent = { requests: [], agent: failing(type, 'no') };
    const { summary, record } = await play(agent, ['hi']);
    expect(record.outcome).toEqual({ kind, error, message: 'no' });
    expect(summary).toMatchObject({ reward: 0, agentCostUsd: null });
  });

  it('makes parallel calls in order', async () => {
    const agent = playAgent(async ({ tool }) => {
      await Promise.all([tool(...LIST), tool(...WRITE)]);
      return say('done');
    });
    const { summary, record } = await play(agent, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(namesOf(record)).toEqual(['list_all_product_types', write.name, 'respond']);
  });

  it('is refused arguments that are no object, calls of a request that has ended, and unknown conversations', async () => {
    const refusals: object[] = [];
    const agent = playAgent(async ({ calls, request, complete }) => {
      const place = { request, attempt: 1 };
      refusals.push(await calls.takeToolCall({ ...place, name: 'calculate', argumentsJson: '[]' }));
      refusals.push(await calls.takeToolCall({ ...place, request: 7, name: 'calculate', argumentsJson: '{}' }));
      const transcript = { thread: 't', keep: 3, digest: 'other', items: [] };
      refusals.push(await calls.takeModelCall({ ...place, wire: 'chat', digest: 'd', model: 'm', transcript }));
      refusals.push(await complete('hello'));
      return say('done');
    });
    await play(agent, ['hi', STOP]);
    expect(refusals).toMatchObject([
      { refused: 'invalid' },
      { refused: 'stale' },
      { refused: 'transcript' },
      { refused: 'over' },
    ]);
    refusals.length = 0;
    await play(agent, ['hi', STOP], { agentModel: null });
    expect(refusals[3]).toMatchObject({
      refused: 'invalid',
      message: expect.stringContaining('the run has none') as string,
    });
  });
});

describe('an agent that is asked again', () => {
  it('does nothing twice that it had done', async () => {
    const agent = playAgent(async ({ attempt, tool, die }) => {
      await tool(...LIST);
      await tool(...WRITE);
      if (attempt === 1) die();
      return say('done');
    });
    const { summary, record, activities } = await play(agent, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(stepsTaken(activities)).toHaveLength(2);
    expect(record).toMatchObject({ counts: { repeated_turns: 1 } });
    expect(record.abandoned).toBeUndefined();
  });

  it('for its model was refused makes the refused call again, and no other', async () => {
    const asked: string[] = [];
    const model: typeof forward = async (input) => {
      asked.push(JSON.stringify(input).includes('second') ? 'second' : 'first');
      return { ...(await forward(input)), status: asked.length === 2 ? 400 : 200 };
    };
    const agent = playAgent(async ({ attempt, complete }) => {
      await complete('first');
      const second = await complete('second');
      if (attempt < 3 && 'status' in second && second.status === 400) {
        throw new PlayedFailure('RequestRefused', 'refused', { apiFailures: 1, isForModel: true });
      }
      return say('done');
    });
    const config = await stagedConfig({
      strategy: 'agent-service',
      strategyOptions: STRATEGY,
      outageTimeoutMs: 60_000,
    });
    const { summary } = await play(agent, ['hi', STOP], config, {
      cast: { forward: model, holder: releasingHolder(config) },
    });
    expect(summary).toMatchObject({ outcome: 'user_stop' });
    expect(asked).toEqual(['first', 'second', 'second']);
  });

  it('and gives an answer that it has kept is taken at what that was made of', async () => {
    const agent = playAgent(async ({ attempt, tool, die }) => {
      if (attempt > 1) return { answer: say('done'), attempt, answersAttempt: 1 };
      await tool(...WRITE);
      return die();
    });
    expect((await play(agent, ['hi', STOP])).summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 2 });
  });

  it('and goes another way leaves nothing of the first way', async () => {
    const agent = playAgent(async ({ attempt, tool, die }) => {
      await tool(...LIST);
      if (attempt === 1) {
        await tool(...WRITE);
        die();
      }
      await tool(...LOOK_UP);
      return say('I changed nothing');
    });
    const { summary, record } = await play(agent, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 0, steps: 3 });
    expect(namesOf(record)).toEqual(['list_all_product_types', LOOK_UP[0], 'respond']);
    expect(record.steps.map(({ changed }) => changed)).toEqual([false, false, false]);
    expect(record.abandoned).toMatchObject([
      { request: 1, attempt: 1, messages: [{ role: 'assistant' }, { role: 'tool' }] },
    ]);
  });

  it('cannot take back what the user has heard', async () => {
    const agent = playAgent(async ({ attempt, tool, die }) => {
      await tool('respond_to_user', { content: attempt === 1 ? 'What is it about?' : 'Hello.' });
      return attempt === 1 ? die() : { kind: 'end' };
    });
    expect((await play(agent, ['hi', 'my order', STOP])).summary).toMatchObject({
      ...{ outcome: 'infrastructure_error', fault: 'AgentDiverged', steps: 1 },
    });
  });

  it('for it has lost the episode is walked through it, at no step', async () => {
    let isLost = false;
    const agent = playAgent(async ({ turn, request, tool, forget }) => {
      if (request === 1) isLost = false;
      if (request === 2 && agent.requests.length === 2) isLost = true;
      if (isLost) forget();
      if (turn === 1) await tool(...WRITE);
      return say(turn === 1 ? 'changed' : 'bye');
    });
    const { summary, activities, record } = await play(agent, ['hi', 'and?', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests.map(({ request, isReplay }) => [request, isReplay])).toEqual([
      [1, undefined],
      [2, undefined],
      [1, true],
      [2, undefined],
    ]);
    expect(activities).toContain('turn 1, again');
    expect([stepsTaken(activities).length, record.counts['agent_walks']]).toEqual([1, 1]);
  });

  it('is walked through the episode once more where it loses it on the walk', async () => {
    const losses = [2, 4, 6];
    const agent = playAgent(({ turn, request, forget }) => {
      if (request > 1 && losses.includes(agent.requests.length)) forget();
      return { answer: say(`turn ${turn}`), peer: 'context' };
    });
    const { summary, record } = await play(agent, ['hi', 'and?', 'well?', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(record.counts['agent_walks']).toBeGreaterThan(1);
  });

  it('and answers otherwise on the walk ends the episode without a score', async () => {
    const agent = playAgent(({ request, forget }) =>
      request === 2 ? forget() : say(`asked ${agent.requests.length}`),
    );
    const { record } = await play(agent, ['hi', 'and?']);
    expect(record.outcome).toMatchObject({
      ...{ kind: 'infrastructure_error', error: 'AgentDiverged' },
      message: expect.stringMatching(/request 1 again it answered .*"asked 3".* before/) as string,
    });
  });

  it.each([
    ['twice', 2, { outcome: 'user_stop', reward: 1, steps: 3 }],
    ['again and again', 9, { outcome: 'infrastructure_error', fault: 'AgentDiverged' }],
  ])('and answers otherwise %s has the episode begun anew where the run says so', async (_, losses, expected) => {
    const episodes: string[] = [];
    const agent = playAgent(async ({ session, request, turn, tool, forget }) => {
      if (!episodes.includes(session)) episodes.push(session);
      if (episodes.length <= losses && request === 2) forget();
      if (turn === 1) await tool(...WRITE);
      return say(episodes.length <= losses ? `asked ${agent.requests.length}` : 'done');
    });
    const lines = ['hi', 'and?', 'hi again', 'and again?', 'hi at last', 'and at last?', STOP];
    const { summary, record } = await play(
      agent,
      losses > 2 ? [...lines.slice(0, -1), 'hi', 'so?'] : lines,
      RESTARTING,
    );
    expect(summary).toMatchObject(expected);
    const restarts = Math.min(losses, 3);
    expect(episodes).toHaveLength(restarts + 1);
    expect(record.counts).toMatchObject({ agent_restarts: restarts, abandoned_attempts: restarts });
    expect(record.trajectory[0]).toMatchObject({ content: losses > 2 ? 'hi' : 'hi at last' });
    expect(record.abandoned?.[0]).toMatchObject({
      ...{ request: 2, messages: [{ content: 'hi' }, {}, {}, {}, {}] },
      diverged: expect.stringContaining('it answered') as string,
    });
    // Every question to the user is a call of its own, and counts.
    expect(record.usage.find(({ role }) => role === 'user')?.calls).toBe(losses > 2 ? 8 : 7);
  });
});

describe('an agent in a fork', () => {
  it('is asked anew, and must take the steps of the origin', async () => {
    let isOther = false;
    const agent = playAgent(async ({ turn, tool }) => {
      if (turn === 1) await tool(...(isOther ? LOOK_UP : WRITE));
      return say('done');
    });
    const { record } = await play(agent, ['hi', 'and?', STOP]);
    const reply = (content: string) => {
      const message = { role: 'assistant', content } as const;
      return { role: 'user', thread: 'user', result: { kind: 'completion', message, finishReason: 'stop' } } as const;
    };
    const replies = ['hi', 'and?', STOP].map(reply);
    const request = { name: 'fork-1', atStep: 3, strategy: 'agent-service', changes: [] };
    const fork = buildFork(record, replies, request);
    expect((await play(agent, [STOP], {}, { fork })).summary).toMatchObject({
      outcome: 'user_stop',
      reward: 1,
      steps: 3,
    });
    expect(agent.requests.map(({ request }) => request)).toEqual([1, 2, 1, 2]);
    isOther = true;
    expect((await play(agent, [STOP], {}, { fork })).summary).toMatchObject({ fault: 'ForkDiverged' });
  });
});
