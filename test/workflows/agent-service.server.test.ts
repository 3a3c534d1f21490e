import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { PyDict } from '../../src/benchmark/python/index.ts';
import type { ForwardRequest } from '../../src/models/forward.ts';
import { buildFork } from '../../src/results/log/fork-input.ts';
import { readReplies, startFork } from '../../src/temporal/client/forks.ts';
import { WORKFLOW_VERSION } from '../../src/wire/failures.ts';
import { startGateway, type RunningGateway } from '../../src/gateway/index.ts';
import type { EvaluationConfig } from '../../src/wire/config.ts';
import { payloadTexts, scheduledActivities } from './history.ts';
import { playLines, STOP, type Line } from './models.ts';
import { playAgent, type AgentCall } from './agents.ts';
import { startRig, type Rig } from './rig.ts';

const KEY = { taskId: 0, trial: 0 };
let gateway: RunningGateway;
let rig: Rig;
let user: Line[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  rig = await startRig({
    callModel: (request, options) => playLines({ agent: [], user: [user[said++] ?? STOP] }).callModel(request, options),
    asksAgents: true,
    deps: {
      gateway: () => Promise.resolve(gateway),
      random: () => 0,
      warn: (message) => void warnings.push(message),
      forwardCall: (request) => {
        forwarded.push(request);
        const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
        const plain = { servedModel: 'm', finishReason: 'stop', usage, usageReported: true, latencyMs: 1 };
        return Promise.resolve({
          ...plain,
          status: 200,
          body: JSON.stringify({ said: REPLY, number: forwarded.length }),
        });
      },
    },
  });
});
afterAll(async () => {
  await rig.stop();
  await gateway.close();
});

const forwarded: ForwardRequest[] = [];
const REPLY = 'a reply that is looked for';
let said = 0;

/** Plays an episode with an agent, against users that say these lines. */
async function play(url: string, lines: Line[], changes: Partial<EvaluationConfig> = {}) {
  [user, said] = [lines, 0];
  const config = {
    strategy: 'agent-service',
    strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: url },
    maxRetries: 2,
    ...changes,
  };
  const handle = await rig.startEpisode(rig.episodeInput({}, config));
  const summary = await handle.result();
  return { summary, handle, record: await rig.log.readEpisode(KEY) };
}

/** The action of the first task's ground truth that changes the data. */
function write(): { readonly name: string; readonly args: object } {
  const action = rig.pack.splits['test']?.[0]?.actions.findLast(({ name }) =>
    /^(exchange|cancel|modify|return)_/.test(name),
  );
  if (action === undefined) throw new Error('the task has no write');
  return { name: action.name, args: plain(action.kwargs) };
}

function plain(kwargs: PyDict): object {
  return JSON.parse(JSON.stringify(Object.fromEntries(kwargs))) as object;
}

/** A read that any task's data answer. */
const LIST = ['list_all_product_types', {}] as const;

const names = (calls: readonly { readonly name: string }[] | undefined) => calls?.map(({ name }) => name);

describe('an agent that is a service', () => {
  it('calls tools at their address, and is graded as any agent', async () => {
    const agent = await playAgent(async ({ request, tool }) => {
      if (request.turn > 1) return { message: 'done' };
      const { name, args } = write();
      expect(await tool(name, args)).toMatchObject({ status: 200, body: { done: false } });
      return { message: 'it is changed' };
    });
    const { summary, record } = await play(agent.url, ['hi', 'thanks', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3, turns: 2, agentCostUsd: null });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    const [first, second] = agent.requests;
    expect(first).toMatchObject({ turn: 1, request: 1, attempt: 1, messages: [{ role: 'user', content: 'hi' }] });
    expect(first?.policy).toBe(rig.pack.policy);
    expect(second).toMatchObject({ turn: 2, request: 2, messages: [{ role: 'user', content: 'thanks' }] });
    expect(second?.conversation).toHaveLength(5);
    expect(JSON.stringify(agent.requests)).not.toMatch(
      /task|trial|reward/i.test(rig.pack.policy) ? /"task_?[iI]d"/ : /"task/,
    );
  });

  it('calls tools in its answer, and gets their results', async () => {
    const agent = await playAgent(({ request }) => {
      const { name, args } = write();
      if (request.request === 1)
        return {
          tool_calls: [
            { name, arguments: args },
            { id: 'x', name: 'no_such_tool', arguments: '{}' },
          ],
        };
      return { message: 'done' };
    });
    const { summary } = await play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests[1]).toMatchObject({ turn: 1, request: 2 });
    expect(agent.requests[1]?.messages).toMatchObject([
      { role: 'tool' },
      { role: 'tool', tool_call_id: 'x', content: 'Unknown action no_such_tool' },
    ]);
  });

  it('that dies in the middle is asked again, and what it had done is not done twice', async () => {
    const agent = await playAgent(async ({ request, tool, die }) => {
      const { name, args } = write();
      await tool(...LIST);
      await tool(name, args);
      if (request.attempt === 1) die();
      return { message: 'done' };
    });
    const { summary, handle, record } = await play(agent.url, ['hi', STOP]);
    expect(agent.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(agent.requests.map((request) => request.idempotency_key)).size).toBe(1);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    const activities = scheduledActivities(await handle.fetchHistory());
    expect(activities.filter(({ type }) => type === 'step')).toHaveLength(2);
    expect(record?.counts).toMatchObject({ repeated_turns: 1 });
    expect(record?.abandoned).toBeUndefined();
  });

  it('calls models through the gateway: request, reply and observation stand in the history once', async () => {
    forwarded.length = 0;
    const heard: string[] = [];
    const tokens = new Set<string>();
    const agent = await playAgent(async ({ request, tool, die }) => {
      tokens.add(/\/t\/([\w-]{43})\//.exec(request.tools_url)?.[1] ?? '');
      const messages = [{ role: 'user', content: 'a word that is looked for' }];
      const call = () =>
        fetch(`${request.model_url}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ model: 'mine', messages }),
        }).then((response) => response.text());
      heard.push(await call());
      messages.push({ role: 'user', content: 'and more' });
      heard.push(await call());
      heard.push(JSON.stringify((await tool(...LIST)).body));
      // The second attempt gets what this process has handed over before.
      if (request.attempt === 1) die();
      return { message: 'done' };
    });
    const { summary, handle } = await play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(heard.slice(3)).toEqual(heard.slice(0, 3));
    expect(forwarded.map(({ items }) => items.length)).toEqual([2, 3]);
    const texts = payloadTexts(await handle.fetchHistory()).map((text) => text.replaceAll('\\', ''));
    const found = (text: string) => texts.filter((each) => each.includes(text)).length;
    expect(found('a word that is looked for')).toBe(1);
    expect(found(REPLY)).toBe(2);
    const observation = String((JSON.parse(heard[2] ?? '') as { observation: unknown }).observation);
    expect(observation.length).toBeGreaterThan(100);
    // The step's result, and the episode's record.
    expect(found(observation.replaceAll('\\', ''))).toBe(2);
    // One for each attempt.
    expect(tokens.size).toBe(2);
    for (const token of tokens) expect([token.length, found(token)]).toEqual([43, 0]);
  });

  it('has its costs by the parts that it names', async () => {
    const agent = await playAgent(async ({ request }) => {
      for (let call = 0; call < 22; call++) {
        const body = { model: 'mine', messages: [{ role: 'user', content: `call ${call}` }] };
        const headers = { 'x-tauflow-role': `part-${call}` };
        await fetch(`${request.model_url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
      }
      return { message: 'done' };
    });
    const { record } = await play(agent.url, ['hi', STOP]);
    const calls = record?.usage
      .filter(({ role }) => role.startsWith('agent'))
      .map((usage) => [usage.role, usage.calls]);
    expect(calls).toHaveLength(21);
    expect(calls).toContainEqual(['agent/part-19', 1]);
    expect(calls).toContainEqual(['agent', 2]);
  });

  it('that goes another way when it is asked again leaves nothing of the first way', async () => {
    const agent = await playAgent(async ({ request, tool, die }) => {
      const { name, args } = write();
      await tool(...LIST);
      if (request.attempt === 1) {
        await tool(name, args);
        die();
      }
      await tool('find_user_id_by_email', { email: 'nobody@example.com' });
      return { message: 'I changed nothing' };
    });
    const { summary, record } = await play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 0, steps: 3 });
    expect(names(record?.actions)).toEqual(['list_all_product_types', 'find_user_id_by_email', 'respond']);
    expect(record?.steps.map(({ changed }) => changed)).toEqual([false, false, false]);
    expect(record?.abandoned).toMatchObject([
      { request: 1, attempt: 1, messages: [{ role: 'assistant' }, { role: 'tool' }] },
    ]);
  });

  it('that has lost the episode is walked through it, at no step', async () => {
    let known = new Set<string>();
    const agent = await playAgent(async ({ request, tool }) => {
      if (request.request === 1) known.add(request.episode);
      if (!known.has(request.episode)) return { status: 404, body: { error: 'unknown_episode' } };
      if (request.turn === 1) {
        const { name, args } = write();
        await tool(name, args);
        return { message: 'changed' };
      }
      if (request.attempt === 1) {
        known = new Set();
        return { status: 404, body: { error: 'unknown_episode' } };
      }
      return { message: 'bye' };
    });
    const { summary, handle } = await play(agent.url, ['hi', 'and?', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests.map(({ request, attempt }) => `${request}.${attempt}`)).toEqual(['1.1', '2.1', '1.2', '2.2']);
    expect(scheduledActivities(await handle.fetchHistory()).filter(({ type }) => type === 'step')).toHaveLength(1);
  });

  it('that does otherwise on the walk ends the episode without a score', async () => {
    const agent = await playAgent(({ request }) => {
      if (request.request === 2) return { status: 404, body: { error: 'unknown_episode' } };
      return { message: `attempt ${request.attempt}` };
    });
    await expect(play(agent.url, ['hi', 'and?', STOP])).rejects.toThrow();
    expect(await rig.log.readEpisode(KEY)).toMatchObject({
      outcome: {
        kind: 'infrastructure_error',
        error: 'AgentDiverged',
        message: expect.stringMatching(/request 1 again it answered .*"attempt 2".* before/) as string,
      },
    });
  });

  it('that does otherwise on the walk has the episode begun anew where the run says so', async () => {
    const options = (url: string) => ({
      strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: url, agentDiverged: 'restart' },
    });
    let episodes: string[] = [];
    const forgetful = await playAgent(async ({ request, tool }) => {
      if (!episodes.includes(request.episode)) episodes.push(request.episode);
      if (episodes.length <= 2 && request.request === 2) return { status: 404, body: { error: 'unknown_episode' } };
      const { name, args } = write();
      if (request.turn === 1) await tool(name, episodes.length === 1 || request.attempt === 1 ? args : {});
      return { message: episodes.length <= 2 ? `attempt ${request.attempt}` : 'done' };
    });
    const lines = ['hi', 'and?', 'hi again', 'and again?', 'hi at last', 'and at last?', STOP];
    const { summary, record, handle } = await play(forgetful.url, lines, options(forgetful.url));
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(episodes).toHaveLength(3);
    expect(record?.trajectory[0]).toMatchObject({ content: 'hi at last' });
    expect(record?.counts).toMatchObject({ agent_restarts: 2, agent_walks: 2, abandoned_attempts: 2 });
    expect(record?.abandoned).toMatchObject([
      {
        request: 2,
        messages: [{ content: 'hi' }, {}, {}, {}, {}],
        diverged: expect.stringContaining('it answered') as string,
      },
      {
        request: 2,
        messages: [{ content: 'hi again' }, {}, {}, {}, {}],
        diverged: expect.stringContaining(write().name) as string,
      },
    ]);
    // Every question to the user is a call of its own, and counts.
    expect(record?.usage.find(({ role }) => role === 'user')?.calls).toBe(7);
    const workflowBundle = { codePath: inject('workflowBundle') };
    await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), handle.workflowId);

    episodes = [];
    const hopeless = await playAgent(({ request }) => {
      if (!episodes.includes(request.episode)) episodes.push(request.episode);
      if (request.request === 2) return { status: 404, body: { error: 'unknown_episode' } };
      return { message: `attempt ${request.attempt}` };
    });
    await expect(play(hopeless.url, [...lines.slice(0, 6), 'hi', 'and?'], options(hopeless.url))).rejects.toThrow();
    expect(episodes).toHaveLength(4);
    const lost = await rig.log.readEpisode(KEY);
    expect(lost).toMatchObject({ outcome: { error: 'AgentDiverged' }, counts: { agent_restarts: 3 } });
  });

  it('is asked anew in a fork, whose user says the same again', async () => {
    let isOther = false;
    const agent = await playAgent(async ({ request, tool }) => {
      const { name, args } = write();
      if (request.turn === 1) await (isOther ? tool('calculate', { expression: '1' }) : tool(name, args));
      return { message: 'done' };
    });
    await play(agent.url, ['hi', 'and?', STOP]);
    const record = await rig.log.readEpisode(KEY);
    if (record === null) throw new Error('there is nothing to fork');
    const { workflowId, workflowRunId } = record;
    const replies = (await readReplies(rig.client, { workflowId, workflowRunId })) ?? [];
    const forked = async (name: string, lines: Line[]) => {
      [user, said] = [lines, 0];
      const fork = buildFork(record, replies, { name, atStep: 3, strategy: 'agent-service', changes: [] });
      const input = rig.episodeInput(KEY, {
        strategy: 'agent-service',
        strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: agent.url },
      });
      const started = await startFork(rig.client, { ...input, version: WORKFLOW_VERSION, fork });
      return await started?.result();
    };
    expect(await forked('fork-1', [STOP])).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests.map(({ request }) => request)).toEqual([1, 2, 1, 2]);
    expect(agent.requests.map(({ conversation }) => conversation[0])).toEqual(
      Array(4).fill(agent.requests[0]?.messages[0]),
    );
    isOther = true;
    await expect(forked('fork-2', [STOP])).rejects.toMatchObject({ cause: { details: [{ fault: 'ForkDiverged' }] } });
  });

  it('has no more steps than the run allows, whatever it calls', async () => {
    let last: Awaited<ReturnType<AgentCall['tool']>> | undefined;
    const agent = await playAgent(async ({ tool }) => {
      for (let calls = 0; calls < 10_000; calls++) {
        last = await tool(...LIST);
        if (last.status !== 200) break;
      }
      return { message: 'never heard' };
    });
    const { summary } = await play(agent.url, ['hi'], { maxSteps: 3 });
    expect(summary).toMatchObject({ outcome: 'max_steps', steps: 3 });
    expect(last).toMatchObject({ status: 410, body: { error: 'over' } });
  });

  it('ends the episode with a transfer, and is not heard any more', async () => {
    const agent = await playAgent(async ({ tool }) => {
      expect((await tool('transfer_to_human_agents', { summary: 'x' })).body).toMatchObject({ done: true });
      return new Promise(() => undefined);
    });
    const { summary } = await play(agent.url, ['hi']);
    expect(summary).toMatchObject({ outcome: 'transferred', steps: 1 });
  });

  it('that reports a usage which cannot be read, or does not wait for its calls, is warned of once', async () => {
    const agent = await playAgent(({ request, tool }) => {
      void tool(...LIST);
      return { message: `said ${String(request.turn)}`, usage: { calls: 'many' } };
    });
    warnings.length = 0;
    const { summary } = await play(agent.url, ['hi', 'and?', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', agentCostUsd: null });
    const usage = `the agent at ${agent.url} reports a usage that cannot be read (calls: `;
    expect(warnings.filter((warning) => warning.startsWith(usage))).toHaveLength(1);
    expect(warnings.filter((warning) => / has answered while \d of its calls /.test(warning)).length).toBeLessThan(2);
  });

  it('ends the conversation itself', async () => {
    const agent = await playAgent(() => ({ end: true }));
    expect((await play(agent.url, ['hi'])).summary).toMatchObject({ outcome: 'agent_stop', steps: 0 });
  });

  it('is to blame for an answer that is none', async () => {
    const agent = await playAgent(() => ({ text: 'hello' }));
    const { summary } = await play(agent.url, ['hi']);
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, agentCostUsd: null });
  });

  it('makes parallel calls in order, and its answer waits for them', async () => {
    const agent = await playAgent(({ tool }) => {
      const { name, args } = write();
      void tool(...LIST);
      void tool(name, args);
      return new Promise((resolve) => setTimeout(() => resolve({ message: 'done' }), 20));
    });
    const { summary, record } = await play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(names(record?.actions)).toEqual(['list_all_product_types', write().name, 'respond']);
  });

  it('keeps its answer by its key, and what it was made of counts', async () => {
    const kept = new Map<string, object>();
    const agent = await playAgent(async ({ request, tool, die }) => {
      const before = kept.get(request.idempotency_key);
      if (before !== undefined) return before;
      const { name, args } = write();
      await tool(name, args);
      kept.set(request.idempotency_key, { message: 'done', attempt: request.attempt });
      return die();
    });
    const { summary } = await play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 2 });
  });
});
