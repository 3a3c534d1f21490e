/** Episodes of τ³-bench: the turns of an agent and of a user with tools, the end, and the judge of sentences. */

import { onTestFinished, describe, expect, it } from 'vitest';

import type { ModelRequest } from '../../src/models/index.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { readPack, writePack, type Pack } from '../../src/benchmarks/packs/index.ts';
import { buildFork, type EpisodeRecord } from '../../src/run-log/index.ts';
import { readReplies, startFork } from '../../src/temporal/client/index.ts';
import { WORKFLOW_VERSION, type EvaluationConfig } from '../../src/evaluation/index.ts';
import { conversationOfRecord } from '../../src/viewer/data/testing.ts';
import { tau3CheckoutFiles, writeTau3Checkout } from '../helpers/tau3-checkout.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';
import { calling, playLines, refuse, replyOf, STOP, type Line } from './models.ts';
import { startRig, type Rig } from './rig.ts';
import { startScriptedCaller } from './scripted.ts';

const JUDGE: Partial<EvaluationConfig> = { judgeModel: { provider: 'scripted', model: 'judge', temperature: 0 } };
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
  const checkout = await writeTau3Checkout(await scratchFolder(), { ...files, [path]: JSON.stringify(tasks) });
  const { packs } = await tau3Importer.read(checkout, 'it', { domains: [domain] });
  const [imported] = packs;
  if (imported === undefined) throw new Error(`no pack of ${domain}`);
  const folder = `${await scratchFolder()}/${domain}`;
  await writePack(folder, imported);
  return readPack(folder);
}

interface Played {
  readonly agent: readonly Line[];
  readonly user: readonly Line[];
  readonly judge?: readonly Line[];
}

async function rigOf(domain: 'tau3-retail' | 'tau3-telecom', { judge = [], ...lines }: Played) {
  const judged: ModelRequest[] = [];
  const model = playLines(lines);
  const isAgents = ({ tools, messages: [system] }: ModelRequest) =>
    tools !== undefined && system?.content?.includes('customer service agent') === true;
  const rig = await startRig({
    pack: await packOf(domain),
    callModel: async (request, options) => {
      if (request.model === 'judge') {
        judged.push(request);
        let line = judge[Math.min(judged.length, judge.length) - 1] ?? null;
        while (typeof line === 'function') line = await line(request, new AbortController().signal);
        return replyOf(line);
      }
      // A user with tools is told from the agent by its prompt.
      const { tools: _, ...withoutTools } = request;
      return model.callModel(isAgents(request) ? request : withoutTools, options);
    },
  });
  onTestFinished(() => rig.stop());
  return { rig, model, judged };
}

async function play(rig: Rig, changes: Partial<EvaluationConfig> = {}) {
  const config = { env: rig.pack.domain, split: 'base', maxSteps: 200, ...changes };
  const handle = await rig.startEpisode(rig.episodeInput({}, config));
  const summary = await handle.result();
  return { summary, record: await rig.log.readEpisode(KEY) };
}

const verdicts = (metExpectation: boolean) =>
  JSON.stringify({ results: [{ expectedOutcome: SENTENCE, reasoning: 'It does.', metExpectation }] });

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

const TALK = { agent: ['It costs 10.'], user: ['What does the mug cost?', STOP] };

describe('an episode of τ³-bench', () => {
  it('is graded without sentences that no judge has decided on, and its record names them', async () => {
    const { rig, judged } = await rigOf('tau3-retail', TALK);
    const { summary, record } = await play(rig);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(judged).toHaveLength(0);
    expect(record?.diagnostics?.tau3?.unjudged).toEqual([SENTENCE]);
  });

  it.each(['act', 'react', 'fastworkflow'])('is solved by %s, which the scripted model plays', async (strategy) => {
    const pack = await packOf('tau3-telecom');
    const scripted = await startScriptedCaller({ packs: [pack] });
    onTestFinished(() => scripted.close());
    const rig = await startRig({ pack, callModel: scripted.callModel });
    onTestFinished(() => rig.stop());
    const { summary, record } = await play(rig, { strategy });
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record?.trajectory.some((message) => message.role === 'user' && message.tool_calls !== undefined)).toBe(
      true,
    );
  });

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

  it('has the reward that the judge gives it, whose verdicts and cost are recorded', async () => {
    const { rig, judged } = await rigOf('tau3-retail', { ...TALK, judge: [verdicts(false)] });
    const { summary, record } = await play(rig, JUDGE);
    expect(summary).toMatchObject({ reward: 0, outcome: 'user_stop', calls: 4 });
    expect(summary.judgeCostUsd).toBeCloseTo(0.001);
    expect(record?.diagnostics?.tau3).toMatchObject({
      checks: { db: true, nlAssertions: { reward: 0, met: [false] } },
      verdicts: [{ assertion: SENTENCE, met: false, reason: 'It does.' }],
    });
    expect(record?.diagnostics?.tau3?.unjudged).toBeUndefined();
    const [request] = judged;
    expect(request?.messages[1]?.content).toContain('assistant: Hi! How can I help you today?');
    expect(request?.messages[1]?.content).toContain(`expectedOutcomes:\n        ['${SENTENCE}']`);
    expect(record?.usage.map(({ role, calls }) => [role, calls])).toContainEqual(['judge', 1]);
  });

  it('asks the judge again for an answer that it cannot read, three times at most', async () => {
    const read = await rigOf('tau3-retail', { ...TALK, judge: ['Yes.', verdicts(true)] });
    expect((await play(read.rig, JUDGE)).summary).toMatchObject({ reward: 1, calls: 5 });
    const unread = await rigOf('tau3-retail', { ...TALK, judge: ['Yes.'] });
    const { summary, record } = await play(unread.rig, JUDGE);
    expect(unread.judged).toHaveLength(3);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record?.diagnostics?.tau3).toMatchObject({
      unjudged: [SENTENCE],
      judgeProblem: 'the judge did not decide on every sentence in 3 answers',
    });
  });

  it('keeps its score where the provider refuses the judge, and says why there are no verdicts', async () => {
    const { rig } = await rigOf('tau3-retail', { ...TALK, judge: [refuse] });
    const { summary, record } = await play(rig, JUDGE);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record?.diagnostics?.tau3?.judgeProblem).toContain('401 Incorrect API key');
  });

  it('lets the user call tools of their own, which the agent does not see', async () => {
    const { rig, model } = await rigOf('tau3-telecom', {
      agent: ['Switch mobile data on.', calling(['refuel_data', { customer_id: 'C1', line_id: 'L1', gb_amount: 2 }])],
      user: ['No data.', calling(['toggle_data', {}]), 'Done.', STOP],
    });
    const { summary, record } = await play(rig, { maxSteps: 12 });
    expect(summary.outcome).toBe('max_steps');
    const roles = record?.trajectory.map((message) => ('tool_calls' in message ? `${message.role}+` : message.role));
    expect(roles?.slice(0, 8)).toEqual(['system', 'user', 'assistant', 'user+', 'tool', 'user', 'assistant+', 'tool']);
    expect(record?.trajectory[4]).toMatchObject({ role: 'tool', name: 'toggle_data', requestor: 'user' });
    const last = model.agentCalls.at(-1)?.messages ?? [];
    const ofUser = record?.trajectory[4]?.content;
    expect(ofUser).toMatch(/^Mobile Data is now ON/);
    expect(last.map(({ content }) => content)).not.toContain(ofUser);
  });

  it('is attributed from the task’s first state, with the calls of the user', async () => {
    const user = ['No data.', calling(['toggle_data', {}]), 'Done.', STOP];
    const { rig } = await rigOf('tau3-telecom', { agent: ['Switch mobile data on.', 'Goodbye.'], user });
    const { record } = await play(rig);
    // The only call that is missing is the agent's own.
    expect(record?.analysis?.faults.map(({ kind, tool }) => [kind, tool])).toEqual([['missing_write', 'refuel_data']]);
    const shown = conversationOfRecord(record as EpisodeRecord, 'tools', NO_FACTS);
    expect(shown.opening).toBe('No data.');
    expect(shown.steps.map(({ observation, userCalls }) => [observation, userCalls.map(({ name }) => name)])).toEqual([
      ['Done.', ['toggle_data']],
      [STOP, []],
    ]);
  });

  it('ends after ten calls that fail, with reward 0', async () => {
    const { rig } = await rigOf('tau3-retail', {
      agent: [calling(['get_product_details', { product_id: 'P9' }])],
      user: ['What does the mug cost?'],
    });
    const { summary, record } = await play(rig);
    expect(summary).toMatchObject({ reward: 0, outcome: 'agent_error', steps: 10 });
    expect(record?.outcome).toMatchObject({ error: 'too_many_errors' });
  });
});
