/** Episodes of τ³-bench: the turns of an agent and of a user with tools, the end, and the judge of sentences. */

import { onTestFinished, describe, expect, it } from 'vitest';

import type { ModelRequest } from '../../src/models/index.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { readPack, writePack, type Pack } from '../../src/benchmarks/packs/index.ts';
import { buildFork, type EpisodeRecord } from '../../src/run-log/index.ts';
import { readReplies, startFork } from '../../src/temporal/client/index.ts';
import { WORKFLOW_VERSION } from '../../src/evaluation/index.ts';
import { conversationOfRecord } from '../../src/viewer/data/testing.ts';
import { tau3CheckoutFiles, writeTau3Checkout } from '../helpers/tau3-checkout.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';
import { calling, playLines, STOP, type Line } from './models.ts';
import { startRig, type Rig } from './rig.ts';

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
    expect(record?.analysis?.faults.map(({ kind, tool }) => [kind, tool])).toEqual([['missing_write', 'refuel_data']]);
    const shown = conversationOfRecord(record as EpisodeRecord, 'tools', NO_FACTS);
    expect(shown.opening).toBe('No data.');
    expect(shown.steps.map(({ observation, userCalls }) => [observation, userCalls.map(({ name }) => name)])).toEqual([
      ['Done.', ['toggle_data']],
      [STOP, []],
    ]);
  });
});
