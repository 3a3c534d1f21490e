/** Episodes of τ³-bench: the turns of an agent and of a user with tools, the end, and the judge of sentences. */

import { describe, expect, it } from 'vitest';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { readPack, writePack, type Pack } from '../../src/benchmarks/packs/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { tau3CheckoutFiles, writeTau3Folder } from '../helpers/tau3-checkout.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';
import { calling, STOP } from '../workflows/models.ts';
import { playLines, playScripted } from './models.ts';
import { failing, scripted, stageEpisode, stagedConfig } from './stage.ts';

const JUDGE: Partial<EvaluationConfig> = { judgeModel: scripted('judge') };
const SENTENCE = 'The agent says what the mug costs.';

/** The small pack of a domain; retail's first task has a sentence for a judge. */
async function packOf(domain: 'tau3-retail' | 'tau3-telecom'): Promise<Pack> {
  const files = tau3CheckoutFiles();
  const path = 'data/tau2/domains/retail/tasks.json';
  const tasks = JSON.parse(files[path] ?? '[]') as { evaluation_criteria: object }[];
  const [first] = tasks;
  if (first !== undefined) {
    first.evaluation_criteria = { actions: [], nl_assertions: [SENTENCE], reward_basis: ['DB', 'NL_ASSERTION'] };
  }
  const checkout = await writeTau3Folder(await scratchFolder(), { ...files, [path]: JSON.stringify(tasks) });
  const { packs } = await tau3Importer.read(checkout, 'it', { domains: [domain] });
  const [imported] = packs;
  if (imported === undefined) throw new Error(`no pack of ${domain}`);
  const folder = `${await scratchFolder()}/${domain}`;
  await writePack(folder, imported);
  return readPack(folder);
}

/** The configuration of a run of the pack; the benchmark lets an episode have as many steps. */
const configOf =
  (domain: 'tau3-retail' | 'tau3-telecom') =>
  async (changes: Partial<EvaluationConfig> = {}): Promise<EvaluationConfig> =>
    stagedConfig({ split: 'base', maxSteps: 200, ...changes }, await packOf(domain));
const retail = configOf('tau3-retail');
const telecom = configOf('tau3-telecom');

async function play(config: Promise<EvaluationConfig>, lines: Parameters<typeof playLines>[0]) {
  const { complete, heard } = playLines(lines);
  return { ...(await stageEpisode({ config: await config }, { complete })), heard };
}

const verdicts = (metExpectation: boolean) =>
  JSON.stringify({ results: [{ expectedOutcome: SENTENCE, reasoning: 'It does.', metExpectation }] });

const TALK = { agent: ['It costs 10.'], user: ['What does the mug cost?', STOP] };

describe('an episode of τ³-bench', () => {
  it('is graded without sentences that no judge has decided on, and its record names them', async () => {
    const { summary, record, heard } = await play(retail(), TALK);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(heard.judge).toHaveLength(0);
    expect(record.diagnostics?.tau3?.unjudged).toEqual([SENTENCE]);
  });

  it.each(['act', 'react', 'fastworkflow'])('is solved by %s, which the scripted model plays', async (strategy) => {
    const config = await telecom({ strategy });
    const { summary, record } = await stageEpisode({ config }, playScripted(await packOf('tau3-telecom')));
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record.trajectory.some((message) => message.role === 'user' && message.tool_calls !== undefined)).toBe(true);
  });

  it('has the reward that the judge gives it, whose verdicts and cost are recorded', async () => {
    const { summary, record, heard } = await play(retail(JUDGE), { ...TALK, judge: [verdicts(false)] });
    expect(summary).toMatchObject({ reward: 0, outcome: 'user_stop', calls: 4 });
    expect(summary.judgeCostUsd).toBeCloseTo(0.001);
    expect(record.diagnostics?.tau3).toMatchObject({
      checks: { db: true, nlAssertions: { reward: 0, met: [false] } },
      verdicts: [{ assertion: SENTENCE, met: false, reason: 'It does.' }],
    });
    expect(record.diagnostics?.tau3?.unjudged).toBeUndefined();
    const prompt = heard.judge[0]?.[1]?.content;
    expect(prompt).toContain('assistant: Hi! How can I help you today?');
    expect(prompt).toContain(`expectedOutcomes:\n        ['${SENTENCE}']`);
    expect(record.usage.map(({ role, calls }) => [role, calls])).toContainEqual(['judge', 1]);
  });

  it('asks the judge again for an answer that it cannot read, three times at most', async () => {
    const read = await play(retail(JUDGE), { ...TALK, judge: ['Yes.', verdicts(true)] });
    expect(read.summary).toMatchObject({ reward: 1, calls: 5 });
    const { heard, summary, record } = await play(retail(JUDGE), { ...TALK, judge: ['Yes.'] });
    expect(heard.judge).toHaveLength(3);
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record.diagnostics?.tau3).toMatchObject({
      unjudged: [SENTENCE],
      judgeProblem: 'the judge did not decide on every sentence in 3 answers',
    });
  });

  it('keeps its score where the provider refuses the judge, and says why there are no verdicts', async () => {
    const judge = [failing('NotAuthorised', '401 Incorrect API key')];
    const { summary, record } = await play(retail(JUDGE), { ...TALK, judge });
    expect(summary).toMatchObject({ reward: 1, outcome: 'user_stop' });
    expect(record.diagnostics?.tau3?.judgeProblem).toContain('401 Incorrect API key');
  });

  it('lets the user call tools of their own, which the agent does not see', async () => {
    const { summary, record, heard } = await play(telecom({ maxSteps: 12 }), {
      agent: ['Switch mobile data on.', calling(['refuel_data', { customer_id: 'C1', line_id: 'L1', gb_amount: 2 }])],
      user: ['No data.', calling(['toggle_data', {}]), 'Done.', STOP],
    });
    expect(summary.outcome).toBe('max_steps');
    const roles = record.trajectory.map((message) => ('tool_calls' in message ? `${message.role}+` : message.role));
    expect(roles.slice(0, 8)).toEqual(['system', 'user', 'assistant', 'user+', 'tool', 'user', 'assistant+', 'tool']);
    expect(record.trajectory[4]).toMatchObject({ role: 'tool', name: 'toggle_data', requestor: 'user' });
    const ofUser = record.trajectory[4]?.content;
    expect(ofUser).toMatch(/^Mobile Data is now ON/);
    expect(heard.agent.at(-1)?.map(({ content }) => content)).not.toContain(ofUser);
  });

  it('ends after ten calls that fail, with reward 0', async () => {
    const { summary, record } = await play(retail(), {
      agent: [calling(['get_product_details', { product_id: 'P9' }])],
      user: ['What does the mug cost?'],
    });
    expect(summary).toMatchObject({ reward: 0, outcome: 'agent_error', steps: 10 });
    expect(record.outcome).toMatchObject({ error: 'too_many_errors' });
  });
});
