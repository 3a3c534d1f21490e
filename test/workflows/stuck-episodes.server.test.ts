/** Episodes that cannot go on: their workflow code loops or fails, or their agent service is away. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/orchestration/index.ts';
import { loadAgent } from '../../src/agents/from-file/index.ts';
import {
  startSweep,
  connect,
  ensureSearchAttributes,
  readSteering,
  fetchProgress,
  readSweepInput,
} from '../../src/temporal/client/index.ts';
import { readTaskTrouble } from '../../src/temporal/client/testing.ts';
import { episodeWorkflowId, type SweepInput, type CompleteOutput } from '../../src/evaluation/index.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { impatientCli } from '../helpers/impatient-server.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';
import { quickModel, STOP } from './models.ts';
import { beating, startRigOn, type Rig, type RigOptions, type RigServer } from './rig-on-server.ts';
import { tasks, start } from './sweep-rig.ts';
import { startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import { setLimits } from '../../workflows/client.ts';
import { playAgent } from './agents.ts';
import { scheduledActivities } from './history.ts';
import { startRig } from './rig.ts';
import { KEY, LIST, useServiceRig, write } from './service-rig.ts';

const SLOW = { timeout: 240_000 };
const POISONED = 0;
const REPLY = 'a reply that the code cannot take';

let folder: string;
let server: RigServer;
let closeServer: () => Promise<void>;
const rigs: Rig[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tauflow-stuck-'));
  const env = { ...testEnvironment(), TEMPORAL_CLI_PATH: await impatientCli(folder) };
  const { connection, address, namespace, close } = await connect({ workDir: folder, home: testHome(), env });
  closeServer = close;
  await ensureSearchAttributes(connection, namespace);
  server = { address, namespace, workflowBundle: inject('workflowBundle') };
});
afterAll(async () => {
  await Promise.all(rigs.map((rig) => rig.stop()));
  await closeServer();
  await stopServer(folder);
  await rm(folder, { recursive: true, force: true });
});

async function startStuckRig(options: Omit<RigOptions, 'callModel' | 'logDir'>): Promise<Rig> {
  const logDir = await mkdtemp(join(folder, 'log-'));
  const rig = await startRigOn(server, { ...options, callModel: quickModel, logDir });
  rigs.push(rig);
  return rig;
}

/** Task 0's agent gets {@link REPLY}, or what `reply` makes of its model's. */
function poison(reply: (output: CompleteOutput) => CompleteOutput): (real: Activities) => Partial<Activities> {
  return ({ complete }) => ({
    complete: beating(async (input) => {
      const output = await complete(input);
      return input.episode.taskId === POISONED && input.role === 'agent' ? reply(output) : output;
    }),
  });
}

const PLAN = { plan: tasks(3), maxConcurrency: 3, tuning: { stuckLookMs: 1_000 } };

const withReply = poison((output) => ({ ...output, message: { ...output.message, content: REPLY } }));

/** A sweep of three tasks whose agent is a file that does `what` upon {@link REPLY}. */
async function sweepOf(what: string): Promise<{ rig: Rig; input: Partial<SweepInput>; path: string }> {
  const path = join(await mkdtemp(join(folder, 'agent-')), 'poisoned.js');
  await writeFile(
    path,
    `export default { name: 'poisoned', label: 'Poisoned', solve: async (session) => {
      const messages = [{ role: 'user', content: session.firstMessage }];
      const { message } = await session.complete({ role: 'agent', thread: 'agent', messages });
      if (message.content === ${JSON.stringify(REPLY)}) { ${what} }
      const { done } = await session.step({ name: 'respond', kwargs: new Map([['content', 'Bye.']]) });
      return done ? 'done' : 'max_steps';
    } };`,
  );
  const { file, ...agent } = await loadAgent(path);
  const rig = await startStuckRig({ agents: [{ file, ...agent }], activities: withReply });
  const { omitPolicy, useReasoning } = rig.config().strategyOptions;
  const config = rig.config({
    strategy: agent.strategy.name,
    strategyOptions: { omitPolicy, useReasoning, agentFile: file },
  });
  return { rig, input: { config, ...PLAN }, path };
}

const outcomeOf = async (rig: Rig, taskId: number) => (await rig.log.readEpisode({ taskId, trial: 0 }))?.outcome;

describe.concurrent('an episode whose workflow code does not come to an end', () => {
  it('is ended, and its run with it', SLOW, async () => {
    const { rig, input, path } = await sweepOf('for (;;);');
    const { handle } = await startSweep(rig.client, rig.sweepInput(input));
    const { status, totals } = await handle.result();
    expect(status).toBe('completed');
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 2, infrastructure_error: 1 } });
    const because = 'it ran for 5 s without a pause, as an endless loop does';
    const record = await rig.log.readEpisode({ taskId: POISONED, trial: 0 });
    expect(record?.outcome).toEqual({
      kind: 'infrastructure_error',
      error: 'EpisodeLost',
      message: expect.stringMatching(
        /^task-0\.trial-0 was ended: the workflow code of agent poisoned failed \d+ times, because /,
      ) as string,
    });
    expect(record?.outcome).toMatchObject({ message: expect.stringContaining(`${because} (${path})`) as string });
    // The opening of the simulated user, and the reply.
    expect(record?.usage.map(({ role, calls }) => [role, calls])).toEqual([
      ['user', 1],
      ['agent', 1],
    ]);
    expect(totals.calls).toBe(2 + 2 * 3);
    expect([await outcomeOf(rig, 1), await outcomeOf(rig, 2)]).toEqual([{ kind: 'user_stop' }, { kind: 'user_stop' }]);
    expect(await rig.publishedEpisodes()).toBe(3);
  });

  it('is ended at once when its run is cancelled', SLOW, async () => {
    const { rig, input } = await sweepOf('for (;;);');
    const { handle } = await startSweep(rig.client, rig.sweepInput({ ...input, tuning: {} }));
    const episode = episodeWorkflowId(rig.run.runId, { taskId: POISONED, trial: 0 });
    await eventually(async () => {
      expect(await readTaskTrouble(rig.client, episode)).toMatchObject({ kind: 'failed' });
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(await outcomeOf(rig, POISONED)).toMatchObject({ error: 'EpisodeLost' });
    expect(await rig.publishedEpisodes()).toBe(3);
  });
});

describe.concurrent('an episode whose workflow code uses up the memory', () => {
  it('takes the thread with it, which is started again', SLOW, async () => {
    setFlagsFromString('--max-old-space-size=200');
    try {
      const { rig, input } = await sweepOf('const all = []; for (;;) all.push(new Array(1e4).fill(all.length));');
      const { handle } = await startSweep(rig.client, rig.sweepInput(input));
      expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
      expect(await outcomeOf(rig, POISONED)).toMatchObject({
        // On a busy machine an attempt may reach its time first.
        message: expect.stringMatching(/it used up the memory of the workflow thread|it ran for 5 s/) as string,
      });
    } finally {
      setFlagsFromString('--max-old-space-size=0');
    }
  });
});

describe.concurrent('an episode whose workflow task fails', () => {
  it('is ended with the error, although the code is not from a file', SLOW, async () => {
    // A result that no code expects: reading it throws an ordinary TypeError in the workflow.
    const rig = await startStuckRig({ activities: poison(() => ({}) as CompleteOutput) });
    const { handle } = await startSweep(rig.client, rig.sweepInput(PLAN));
    expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
    expect(await outcomeOf(rig, POISONED)).toMatchObject({
      message: expect.stringMatching(
        /the workflow code of agent tool-calling failed \d times, because of: .*undefined/,
      ) as string,
    });
  });
});

const stage = useServiceRig();

describe('an agent service that is asked again', () => {
  it('after it died does nothing twice that it had done', async () => {
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

  it('with another answer than before has the episode begun anew where the run says so', async () => {
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
