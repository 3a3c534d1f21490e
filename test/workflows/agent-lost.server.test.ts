/** Agent services that are away, or elsewhere. */

import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import { readSteering, fetchProgress, readSweepInput } from '../../src/temporal/client/index.ts';
import { setLimits } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { playAgent } from './agents.ts';
import { scheduledActivities } from './history.ts';
import { quickModel, STOP } from './models.ts';
import { startRig } from './rig.ts';
import { KEY, LIST, useServiceRig, write } from './service-rig.ts';
import { start, tasks } from './sweep-rig.ts';

const stage = useServiceRig();

describe('an agent that is asked again', () => {
  it('that dies in the middle is asked again, and what it had done is not done twice', async () => {
    const agent = await playAgent(async ({ request, tool, die }) => {
      const { name, args } = write(stage.rig.pack);
      await tool(...LIST);
      await tool(name, args);
      if (request.attempt === 1) die();
      return { message: 'done' };
    });
    const { summary, handle, record } = await stage.play(agent.url, ['hi', STOP]);
    expect(agent.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(agent.requests.map((request) => request.idempotency_key)).size).toBe(1);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    const activities = scheduledActivities(await handle.fetchHistory());
    expect(activities.filter(({ type }) => type === 'step')).toHaveLength(2);
    expect(record?.counts).toMatchObject({ repeated_turns: 1 });
    expect(record?.abandoned).toBeUndefined();
  });

  it('that does otherwise on the walk has the episode begun anew where the run says so', async () => {
    const options = (url: string) => ({
      strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: url, agentDiverged: 'restart' },
    });
    let episodes: string[] = [];
    const forgetful = await playAgent(async ({ request, tool }) => {
      if (!episodes.includes(request.episode)) episodes.push(request.episode);
      if (episodes.length <= 2 && request.request === 2) return { status: 404, body: { error: 'unknown_episode' } };
      const { name, args } = write(stage.rig.pack);
      if (request.turn === 1) await tool(name, episodes.length === 1 || request.attempt === 1 ? args : {});
      return { message: episodes.length <= 2 ? `attempt ${request.attempt}` : 'done' };
    });
    const lines = ['hi', 'and?', 'hi again', 'and again?', 'hi at last', 'and at last?', STOP];
    const { summary, record, handle } = await stage.play(forgetful.url, lines, options(forgetful.url));
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
        diverged: expect.stringContaining(write(stage.rig.pack).name) as string,
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
    await expect(
      stage.play(hopeless.url, [...lines.slice(0, 6), 'hi', 'and?'], options(hopeless.url)),
    ).rejects.toThrow();
    expect(episodes).toHaveLength(4);
    const lost = await stage.rig.log.readEpisode(KEY);
    expect(lost).toMatchObject({ outcome: { error: 'AgentDiverged' }, counts: { agent_restarts: 3 } });
  });
});

describe('an agent that has moved', () => {
  let gateway: RunningGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway.close();
  });

  const HOUR = 3_600_000;
  const tuning = { holdMs: { first: 50, last: 200 } } as const;

  describe('a run whose agent has moved', () => {
    it.each([
      ['', {}],
      [' of its lanes', { laneSize: 1 }],
    ])('asks it at the new address in the open episodes%s and the next ones', async (_, lanes) => {
      const rig = await startRig({
        callModel: quickModel,
        asksAgents: true,
        deps: { gateway: () => Promise.resolve(gateway), random: () => 0 },
      });
      onTestFinished(() => rig.stop());
      const old = await playAgent(({ die }) => die());
      const moved = await playAgent(() => ({ message: 'done' }));
      const strategyOptions = { omitPolicy: false, useReasoning: true, agentUrl: old.url };
      const config = rig.config({ strategy: 'agent-service', strategyOptions, maxRetries: 0, outageTimeoutMs: HOUR });
      const plan = tasks(3);
      const handle = await start(rig, { config, plan, maxConcurrency: 2, tuning: { ...tuning, ...lanes } });
      await eventually(async () => {
        const { held = [] } = await fetchProgress(rig.client, handle.workflowId);
        expect(held.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(2);
      });
      await rig.client.workflow
        .getHandle(handle.workflowId)
        .executeUpdate(setLimits, { args: [{ agentUrl: moved.url }] });
      const { totals } = await handle.result();
      expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 3 } });
      expect(moved.requests.map(({ request, attempt }) => [request, Math.min(attempt, 2)]).sort()).toEqual([
        [1, 1],
        [1, 2],
        [1, 2],
      ]);
      const input = await readSweepInput(rig.client, handle.workflowId);
      expect(await readSteering(rig.client, handle.workflowId, input)).toMatchObject({ agentUrl: moved.url });
    });
  });

  describe('a run whose agent', () => {
    async function playRun(answer: Parameters<typeof playAgent>[0], maxConcurrency: number, retries = 0) {
      const rig = await startRig({
        callModel: quickModel,
        asksAgents: true,
        deps: { gateway: () => Promise.resolve(gateway), random: () => 0 },
      });
      onTestFinished(() => rig.stop());
      const agent = await playAgent(answer);
      const strategyOptions = { omitPolicy: false, useReasoning: true, agentUrl: agent.url };
      const settings = { strategy: 'agent-service', strategyOptions, maxRetries: retries, outageTimeoutMs: HOUR };
      const config = rig.config(settings);
      const handle = await start(rig, { config, plan: tasks(4), maxConcurrency, tuning });
      const { totals } = await handle.result();
      return { totals, agent, rig };
    }

    it.each([
      ['answers 500', 1],
      ['answers 500', 2],
      ['breaks the connection off', 2],
    ])('has a bug in one episode, where it %s, loses that one to it: %s at once', async (how, maxConcurrency) => {
      let odd: string | undefined;
      const { totals, rig } = await playRun(({ request, die }) => {
        odd ??= request.episode;
        if (request.episode !== odd) return { message: 'done' };
        return how === 'answers 500' ? { status: 500, body: { error: "KeyError: 'size'" } } : die();
      }, maxConcurrency);
      expect(totals).toMatchObject({ ended: 4, outcomes: { agent_error: 1, user_stop: 3 } });
      const records = await Promise.all([0, 1, 2, 3].map((taskId) => rig.log.readEpisode({ taskId, trial: 0 })));
      const [lost] = records.flatMap((record) => (record?.outcome.kind === 'agent_error' ? [record.outcome] : []));
      expect(lost).toMatchObject({ error: 'agent_failed' });
      expect(lost?.message).toMatch(/: .* \(the request failed each time, while other episodes were answered\)$/);
      if (how === 'answers 500') expect(lost?.message).toContain(`answered 500: {"error":"KeyError: 'size'"}`);
    });

    it.each([1, 3])('is away as a whole for a while loses nothing: %s at once', async (maxConcurrency) => {
      let asked = 0;
      const { totals } = await playRun(() => {
        asked += 1;
        return asked > 1 && asked < 30 ? { status: 500, body: { error: 'no model' } } : { message: 'done' };
      }, maxConcurrency);
      expect(totals).toMatchObject({ ended: 4, outcomes: { user_stop: 4 } });
    });
  });
});
