/** Forks, and episodes of τ³-bench with their forks. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { TranscriptStore, type ModelRequest } from '../../src/models/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { buildFork, repliesInRecord, type EpisodeRecord } from '../../src/run-log/index.ts';
import { openForks, readReplies, startFork } from '../../src/temporal/client/index.ts';
import { WORKFLOW_VERSION, type EvaluationConfig } from '../../src/evaluation/index.ts';
import type { EpisodeInput, ForkInput } from '../../src/episode/index.ts';
import { TauOrigin } from '../../workflows/client.ts';
import { TauSweep } from '../../workflows/testing.ts';
import { scratchFolder, tauflow } from '../cli/in-process.ts';
import { scheduledActivities } from './history.ts';
import { calling, playLines, STOP, type Line } from './models.ts';
import { startRig, type Rig, type RigOptions } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { readPack, writePack, type Pack } from '../../src/benchmarks/packs/index.ts';
import { conversationOfRecord } from '../../src/viewer/data/testing.ts';
import { tau3CheckoutFiles, writeTau3Checkout } from '../helpers/tau3-checkout.ts';

const KEY = { taskId: 6, trial: 0 };
const rigs: Rig[] = [];
let scripted: ScriptedCaller;

beforeAll(async () => {
  scripted = await startScriptedCaller({ packs: [await resolvePack('retail')] });
});
afterAll(() => scripted.close());
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

async function rigWith(options: Partial<RigOptions> = {}): Promise<Rig> {
  const rig = await startRig({ callModel: scripted.callModel, ...options });
  rigs.push(rig);
  return rig;
}

async function playOrigin(rig: Rig, config: Partial<EvaluationConfig> = {}): Promise<EpisodeRecord> {
  await (await rig.startEpisode(rig.episodeInput(KEY, config))).result();
  const record = await rig.log.readEpisode(KEY);
  if (record === null) throw new Error('no record');
  return record;
}

const originOf = (record: EpisodeRecord) => ({
  workflowId: record.workflowId,
  workflowRunId: record.workflowRunId,
});

async function forkInput(
  rig: Rig,
  record: EpisodeRecord,
  atStep: number,
  config: Partial<EvaluationConfig> = {},
): Promise<EpisodeInput & { readonly fork: ForkInput }> {
  const replies = (await readReplies(rig.client, originOf(record))) ?? [];
  const request = { name: `fork-${atStep}`, atStep, strategy: record.config.strategy, changes: [] };
  const input = rig.episodeInput(KEY, { strategy: record.config.strategy, ...config });
  return { ...input, version: WORKFLOW_VERSION, fork: buildFork(record, replies, request) };
}

async function start(rig: Rig, input: EpisodeInput & { readonly fork: ForkInput }) {
  const handle = await startFork(rig.client, input);
  if (handle === null) throw new Error('there is a fork of that name');
  return handle;
}

describe('a fork on a server', () => {
  it.each(['tool-calling', 'fastworkflow'])('of %s ends as its origin did', async (strategy) => {
    const rig = await rigWith();
    const origin = await playOrigin(rig, { strategy });
    const total = origin.usage.reduce((sum, { calls }) => sum + calls, 0);
    for (const atStep of [1, 4, origin.steps.length]) {
      const handle = await start(rig, await forkInput(rig, origin, atStep));
      await handle.result();
      const record = await rig.log.readFork(KEY, `fork-${atStep}`);
      expect(record).toMatchObject({
        reward: 1,
        outcome: origin.outcome,
        actions: origin.actions,
        trajectory: origin.trajectory,
        counts: origin.counts,
      });
      const live = scheduledActivities(await handle.fetchHistory()).filter(({ type }) => type === 'complete').length;
      expect(live).toBe(total - (record?.fork?.replayedCalls ?? NaN));
      expect(record?.usage.reduce((sum, { calls }) => sum + calls, 0)).toBe(live);
    }
    // The run itself has its one episode, as before.
    expect((await rig.log.listEpisodes()).episodes).toEqual([KEY]);
    expect(await rig.log.readEpisode(KEY)).toEqual(origin);
    expect((await rig.log.listForks()).map(({ fork }) => fork)).toEqual([
      'fork-1',
      'fork-4',
      `fork-${origin.steps.length}`,
    ]);
  });

  it('is found by its origin, and not among the episodes of the sweep', async () => {
    const rig = await rigWith();
    const origin = await playOrigin(rig);
    const handle = await start(rig, await forkInput(rig, origin, 2));
    await handle.result();
    const { typedSearchAttributes: attributes, memo } = await handle.describe();
    expect(attributes.get(TauOrigin)).toBe(origin.workflowId);
    expect(attributes.get(TauSweep)).toBeUndefined();
    expect(memo).toMatchObject({ at_step: 2 });
    expect(await startFork(rig.client, await forkInput(rig, origin, 2))).toBeNull();
    expect(await openForks(rig.client, rig.run.runId)).toEqual([]);
  });

  it('reads a call that was sent again whole once', async () => {
    const forgetful = new TranscriptStore();
    const resolve = forgetful.resolve.bind(forgetful);
    forgetful.resolve = (key, delta) => (delta.keep === 0 ? resolve(key, delta) : undefined);
    const rig = await rigWith({ deps: { transcripts: forgetful } });
    const origin = await playOrigin(rig);
    expect(await readReplies(rig.client, originOf(origin))).toHaveLength(repliesInRecord(origin)?.length ?? NaN);
  });

  it('has no history to read where the server does not know the origin', async () => {
    const rig = await rigWith();
    const gone = {
      workflowId: `${rig.run.runId}/task-6/trial-0`,
      workflowRunId: '01a2009a-3025-740a-bc66-4405c8d6dbaf',
    };
    expect(await readReplies(rig.client, gone)).toBeNull();
  });

  it('continues on another worker when its own is lost', async () => {
    const lookUp = calling(['get_order_details', { order_id: '#W5053173' }]);
    const talk = playLines({ agent: [lookUp, lookUp, 'Found it.', 'Bye.'], user: ['Hi.', 'Good.', STOP] });
    const first = await rigWith({ callModel: talk.callModel });
    const origin = await playOrigin(first);
    const input = await forkInput(first, origin, 3);
    const logDir = first.run.logDir;
    // Its answer is given when the worker has stopped to take work: it is heard, but nothing is made of it here.
    let leave: () => Promise<void> = () => Promise.resolve();
    let left: Promise<void> | undefined;
    const leaving = playLines({
      agent: [
        () => {
          left = leave();
          return Promise.resolve('Found it.');
        },
      ],
      user: ['?'],
    });
    const worker = await startRig({ callModel: leaving.callModel, logDir });
    leave = () => worker.stop();
    const { queues } = worker;
    const handle = await start(worker, { ...input, queues });
    await expect.poll(() => leaving.agentCalls.length, { timeout: 20_000 }).toBe(1);
    await left;
    expect(leaving.userCalls).toEqual([]);
    const last = playLines({ agent: ['Bye.'], user: ['Good.', STOP] });
    const second = await rigWith({ callModel: last.callModel, runId: worker.run.runId, logDir });
    await second.client.workflow.getHandle(handle.workflowId).result();
    const record = await first.log.readFork(KEY, 'fork-3');
    expect(record?.actions).toEqual(origin.actions);
    expect(record?.fork?.replayedCalls).toBe(3);
    // The call that the lost worker made was made once.
    expect([leaving.agentCalls.length, last.agentCalls.length, last.userCalls.length]).toEqual([1, 1, 2]);
  });
});

/** `tauflow fork`: what is refused before anything starts, and a fork that is left to other workers. */
describe('tauflow fork', () => {
  const cwd = scratchFolder();
  /** Environment of the test run's server. */
  let env: Record<string, string> = {};

  beforeAll(async () => {
    const { address, namespace } = inject('temporal');
    env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    const words = ['run', '--run-id', 'forked', '--model', 'oracle:0', '--task-ids', '6', '--task-queue', 'fork-cli'];
    const { code, stderr } = await tauflow(words, { cwd, env });
    expect(code, stderr).toBe(0);
  });

  function fork(...words: string[]) {
    return tauflow(['fork', 'forked', ...words], { cwd, env });
  }

  describe('a fork that cannot be', () => {
    it.each([
      ['no episode', ['--at-step', '1'], 'name the episode to fork, such as task-17.trial-0, or give --list.'],
      ['no step', ['task-6.trial-0'], 'name the first step to take anew with --at-step; the episode has 5 steps.'],
      ['a step 0', ['task-6.trial-0', '--at-step', '0'], '--at-step counts from 1; the episode has 5 steps.'],
      ['a later step', ['task-6.trial-0', '--at-step', '7'], 'the episode has 5 steps; --at-step can be 1 to 6.'],
      ['no name', ['task-6', '--at-step', '1'], '"task-6" is not an episode'],
      ['an unknown episode', ['task-7.trial-0', '--at-step', '1'], 'the run forked has no record of task-7.trial-0'],
      ['an unknown fork', ['task-6.trial-0.fork-9', '--at-step', '1'], 'has no record of task-6.trial-0.fork-9'],
      ['too few steps', ['task-6.trial-0', '--at-step', '4', '--max-steps', '3'], 'raise --max-steps'],
      ['no provider', ['task-6.trial-0', '--at-step', '2', '--model', 'm'], '--model m needs a --model-provider'],
      [
        'a strategy',
        ['task-6.trial-0', '--at-step', '2', '--agent-strategy', 'none'],
        'unknown --agent-strategy "none"',
      ],
      ['one that cannot', ['task-6.trial-0', '--at-step', '2', '--agent-strategy', 'act'], 'act cannot take over'],
      ['no file', ['task-6.trial-0', '--at-step', '2', '--observation-file', 'no'], 'the file no does not exist'],
      ['two texts', ['task-6.trial-0', '--at-step', '2', '--observation-file', 'a', '--observation', 'b'], 'not both'],
      [
        'a last word',
        ['task-6.trial-0', '--at-step', '1', '--observation', 'Bye. ###STOP###'],
        'ends the conversation before step 1',
      ],
    ])('for %s', async (_, words, sentence) => {
      const { code, stderr, stdout } = await fork(...words);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(sentence);
      expect(stderr.split('\n')).toHaveLength(1);
    });

    it('of an unknown run', async () => {
      const { code, stderr } = await tauflow(['fork', 'nothing', 'task-6.trial-0', '--at-step', '1'], { cwd, env });
      expect(code).toBe(2);
      expect(stderr).toContain('there is no run nothing');
    });

    it('without a server', async () => {
      const { code } = await tauflow(['fork', 'forked', 'task-6.trial-0', '--at-step', '1', '--no-worker'], { cwd });
      expect(code).toBe(3);
    });
  });

  describe('a fork left to workers elsewhere', () => {
    it('is started, and listed as under way', async () => {
      const words = ['--at-step', '2', '--model', 'oracle', '--detach', '--task-queue', 'fork-cli-nobody', '--json'];
      const { code, stdout, stderr } = await fork('task-6.trial-0', ...words);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        run_id: 'forked',
        fork: 'fork-1',
        workflow_id: 'forked/task-6/trial-0/fork-1',
        status: 'detached',
      });
      await expect
        .poll(async () => (await fork('--list')).stdout, { timeout: 20_000 })
        .toMatch(/task-6\.trial-0\.fork-1.*running/);
      // What the run itself has come to does not change.
      const run = JSON.parse(await readFile(join(cwd, 'results', 'forked', 'run.json'), 'utf8')) as { status: string };
      expect(run.status).toBe('completed');
    });
  });

  describe('a fork of a fork', () => {
    it('is shown and listed with the fork that it comes from', { timeout: 240_000 }, async () => {
      const queue = ['--task-queue', 'fork-cli'];
      const first = await fork('task-6.trial-0', '--at-step', '2', ...queue, '--max-retries', '1', '--max-cost', '1');
      expect(first.code, first.stderr).toBe(0);
      const name = /record .*(task-6\.trial-0\.fork-\d+)\.json/.exec(first.stdout)?.[1] ?? 'none';
      expect(first.stdout).toContain('max_retries: 3, now 1');
      expect(first.stdout).toMatch(/origin \(task-6\.trial-0\) .* fork \(task-6\.trial-0\.fork-\d+\)/);
      const second = await fork(name, '--at-step', '3', ...queue);
      expect(second.code, second.stderr).toBe(0);
      expect(second.stdout).toContain(`origin (${name})`);
      // The settings of the fork that it comes from, not those of the run.
      expect(second.stdout).toContain('nothing: other results are due to chance');
      const { stdout } = await fork('--list');
      const origins = stdout
        .split('\n')
        .flatMap((line) => /(task\S+\.fork-\d+) +│ +(task\S+)/.exec(line)?.slice(2) ?? []);
      expect(origins).toEqual(expect.arrayContaining(['task-6.trial-0', name]));
    });
  });
});

/** Episodes of τ³-bench: the turns of an agent and of a user with tools, the end, and the judge of sentences. */
describe('tau3', () => {
  const SENTENCE = 'The agent says what the mug costs.';
  const KEY = { taskId: 0, trial: 0 };

  /** The small pack of a domain; retail's first task has a sentence for a judge. */
  async function packOf(domain: 'tau3-retail' | 'tau3-telecom'): Promise<Pack> {
    const files = tau3CheckoutFiles();
    const path = 'data/tau2/domains/retail/tasks.json';
    const tasks = JSON.parse(files[path] ?? '[]') as { evaluation_criteria: object }[];
    const [first] = tasks;
    if (first !== undefined) {
      first.evaluation_criteria = { actions: [], nl_assertions: [SENTENCE], reward_basis: ['DB', 'NL_ASSERTION'] };
    }
    const checkout = await writeTau3Checkout(scratchFolder(), { ...files, [path]: JSON.stringify(tasks) });
    const { packs } = await tau3Importer.read(checkout, 'it', { domains: [domain] });
    const [imported] = packs;
    if (imported === undefined) throw new Error(`no pack of ${domain}`);
    const folder = `${scratchFolder()}/${domain}`;
    await writePack(folder, imported);
    return readPack(folder);
  }

  async function rigOf(domain: 'tau3-retail' | 'tau3-telecom', lines: Record<'agent' | 'user', readonly Line[]>) {
    const model = playLines(lines);
    const isAgents = ({ tools, messages: [system] }: ModelRequest) =>
      tools !== undefined && system?.content?.includes('customer service agent') === true;
    const rig = await startRig({
      pack: await packOf(domain),
      callModel: (request, options) => {
        // A user with tools is told from the agent by its prompt.
        const { tools: _, ...withoutTools } = request;
        return model.callModel(isAgents(request) ? request : withoutTools, options);
      },
    });
    onTestFinished(() => rig.stop());
    return { rig, model };
  }

  async function play(rig: Rig) {
    const config = { env: rig.pack.domain, split: 'base', maxSteps: 200 };
    const handle = await rig.startEpisode(rig.episodeInput({}, config));
    const summary = await handle.result();
    return { summary, record: await rig.log.readEpisode(KEY) };
  }

  /** Forks the episode that was played, with other words of the user before a step. */
  async function forkAt(rig: Rig, atStep: number, observation: string): Promise<EpisodeRecord | null> {
    const record = await rig.log.readEpisode(KEY);
    if (record === null) throw new Error('no record');
    const { workflowId, workflowRunId, config } = record;
    const replies = (await readReplies(rig.client, { workflowId, workflowRunId })) ?? [];
    const request = { name: 'fork-1', atStep, strategy: config.strategy, observation, changes: [] };
    const input = rig.episodeInput(KEY, { env: rig.pack.domain, split: 'base', maxSteps: 200 });
    const fork = buildFork(record, replies, request);
    await (await startFork(rig.client, { ...input, version: WORKFLOW_VERSION, fork }))?.result();
    return rig.log.readFork(KEY, request.name);
  }

  const NO_FACTS = { analysis: null, verdict: null, historyUrl: null };

  describe('an episode of τ³-bench', () => {
    it('goes on in a fork where the user, who had stopped, says something else', async () => {
      const agent = ['It costs 10.', 'The bowl costs 5.'];
      const { rig } = await rigOf('tau3-retail', { agent, user: ['What does the mug cost?', STOP, STOP] });
      await play(rig);
      const forked = await forkAt(rig, 2, 'And the bowl?');
      expect(forked).toMatchObject({ outcome: { kind: 'user_stop' }, reward: 1 });
      expect(forked?.trajectory.map(({ content }) => content)).toEqual(
        expect.arrayContaining(['It costs 10.', 'And the bowl?', 'The bowl costs 5.']),
      );
    });

    it('is attributed from the task’s first state, with the calls of the user', async () => {
      const user = ['No data.', calling(['toggle_data', {}]), 'Done.', STOP];
      const { rig } = await rigOf('tau3-telecom', { agent: ['Switch mobile data on.', 'Goodbye.'], user });
      const { record } = await play(rig);
      // The only call that is missing is the agent's own.
      expect(record?.analysis?.faults.map(({ kind, tool }) => [kind, tool])).toEqual([
        ['missing_write', 'refuel_data'],
      ]);
      const shown = conversationOfRecord(record as EpisodeRecord, 'tools', NO_FACTS);
      expect(shown.opening).toBe('No data.');
      expect(shown.steps.map(({ observation, userCalls }) => [observation, userCalls.map(({ name }) => name)])).toEqual(
        [
          ['Done.', ['toggle_data']],
          [STOP, []],
        ],
      );
    });
  });
});
