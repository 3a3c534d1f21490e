/** Results files of τ³-bench: as runs are exported in that form, and as they are read. */

import { describe, expect, it } from 'vitest';

import type { Grade } from '../../src/benchmarks/index.ts';
import { dumpJson, parseJson } from '../../src/benchmarks/python/index.ts';
import { rowOfEntry, rowOfRecord, type EpisodeRecord } from '../../src/run-log/index.ts';
import { buildReport } from '../../src/results/report/testing.ts';
import { subjectOfRun } from '../../src/results/report/index.ts';
import { toExportedEpisode } from '../../src/results/export/index.ts';
import { parseResults } from '../../src/results/files/testing.ts';
import { tau2Results, tau2Tasks } from '../../src/benchmarks/tau3/testing.ts';
import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { writeTau3Folder } from '../helpers/tau3-checkout.ts';
import { manifest } from './compare/runs.ts';
import { CONFIG, PACKAGE, record, scratchFolder } from './fixtures.ts';

const TASKS = {
  policy: 'Be kind.',
  getRawTask: () => Promise.resolve(undefined),
  createRewardInfo: () => undefined,
  isJudgeMissing: () => false,
};
const MANIFEST = manifest('run-1', {}, { plan: { taskIds: [3], numTrials: 2, shuffle: false } });

async function exported(...records: EpisodeRecord[]): Promise<string> {
  let text = '';
  const read = async function* () {
    yield* await Promise.resolve(records.map(toExportedEpisode));
  };
  for await (const piece of tau2Results(MANIFEST, read(), TASKS)) text += piece;
  return text;
}

const BROKEN = { outcome: { kind: 'infrastructure_error', error: 'X', message: 'no answer' }, reward: 0 } as const;
const LONG = { outcome: { kind: 'max_steps' }, reward: 0 } as const;

describe('a run of tau-bench as a results file of τ³-bench', () => {
  it('is marked as such, and has every task and simulation', async () => {
    const file = JSON.parse(await exported(record(3, 0), record(3, 1, LONG), record(4, 0, BROKEN))) as {
      readonly simulations: readonly object[];
    };
    expect(file).toMatchObject({
      info: {
        git_commit: 'tauflow 0.1.0',
        num_trials: 2,
        environment_info: { domain_name: 'tau_bench_v1_retail', policy: 'Be kind.' },
        agent_info: { implementation: 'tauflow_tool-calling', llm: 'openai/gpt-4o' },
      },
      tasks: [{ id: '3' }, { id: '4' }],
    });
    expect(file.simulations).toMatchObject([
      {
        task_id: '3',
        trial: 0,
        termination_reason: 'user_stop',
        reward_info: { reward: 1, db_check: { db_match: true } },
      },
      { task_id: '3', trial: 1, termination_reason: 'max_steps', reward_info: { reward: 0 } },
      { task_id: '4', termination_reason: 'infrastructure_error' },
    ]);
  });

  it('has calls with their arguments as objects, and each result with the side that called', async () => {
    const text = await exported(record(3, 0));
    expect(text).toContain('{"id": "call_1", "name": "pay", "arguments": {"amount": 131.0}, "requestor": "assistant"}');
    expect(text).toContain(
      '{"role": "tool", "id": "call_1", "content": "paid", "requestor": "assistant", "error": false',
    );
    expect(text).not.toContain('"role": "system"');
  });

  it('has the calls of an agent that writes them as text', async () => {
    const played = record(3, 0);
    const act: EpisodeRecord = {
      ...played,
      config: { ...played.config, strategy: 'act' },
      trajectory: [
        { role: 'system', content: 'Act.' },
        { role: 'user', content: 'Pay 131.' },
        { role: 'assistant', content: 'Action:\n{"name": "pay", "arguments": {"amount": 131.0}}' },
        { role: 'user', content: 'API output: paid' },
      ],
    };
    const text = await exported(act);
    expect(text).toContain('"name": "pay", "arguments": {"amount": 131.0}, "requestor": "assistant"}');
    expect(text).toContain('"content": "API output: paid", "requestor": "assistant"');
  });

  it('is read again with the same tasks, rewards, steps and ends', async () => {
    const records = [record(3, 0), record(3, 1, LONG), record(4, 0, BROKEN)];
    const rows = parseResults(await exported(...records), 'mine.json').map((entry) => rowOfEntry(entry, 'tools'));
    const wanted = records.map(rowOfRecord);
    const shown = ({ taskId, trial, reward, outcome, turns }: (typeof rows)[number]) => ({
      taskId,
      trial,
      reward,
      outcome,
      turns,
    });
    expect(rows.map(shown)).toEqual(wanted.map(shown));
  });
});

describe('a run of τ³-bench as its own results file', () => {
  const messages = [
    { role: 'assistant', content: 'Hi! How can I help you today?' },
    { role: 'user', content: 'Cancel it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'cancel_pending_order', arguments: '{"order_id": "#W1", "reason": "no longer needed"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'cancel_pending_order', content: '{}' },
    { role: 'assistant', content: 'You get 10 back.' },
    { role: 'user', content: '###STOP###' },
  ] as const;

  async function tasksOf() {
    const folder = await writeTau3Folder(scratchFolder());
    const { packs } = await tau3Importer.read(folder, 'it', { domains: ['tau3-retail'] });
    return tau2Tasks({ config: { ...CONFIG, env: 'tau3-retail', split: 'base' } }, packs[0]?.pack);
  }

  it('has the task as it is, and each part of the reward', async () => {
    const tasks = await tasksOf();
    expect(JSON.parse(dumpJson((await tasks.getRawTask(0)) ?? null))).toMatchObject({ id: '0', initial_state: null });
    const episode = { ...record(0, 0), trajectory: messages.map((message) => ({ ...message })) } as EpisodeRecord;
    expect(JSON.parse(dumpJson(tasks.createRewardInfo(toExportedEpisode(episode)) ?? null))).toEqual({
      reward: 1,
      db_check: { db_match: true, db_reward: 1 },
      env_assertions: [],
      action_checks: [
        {
          action: { action_id: '0_0', name: 'cancel_pending_order', arguments: expect.anything() as object },
          action_match: true,
          action_reward: 1,
          tool_type: 'write',
        },
      ],
      communicate_checks: [{ info: '10', met: true, justification: 'The agent has said it.' }],
      reward_basis: ['DB', 'COMMUNICATE'],
      reward_breakdown: { DB: 1, COMMUNICATE: 1 },
      info: {},
    });
    expect(tasks.isJudgeMissing()).toBe(false);
  });

  it('has no parts of an episode that ended too early, and none that infrastructure ended', async () => {
    const tasks = await tasksOf();
    expect(dumpJson(tasks.createRewardInfo(toExportedEpisode(record(0, 0, LONG))) ?? null)).toBe(
      '{"reward": 0.0, "reward_basis": null, "info": {"note": "The episode has ended too early."}}',
    );
    expect(tasks.createRewardInfo(toExportedEpisode(record(0, 0, BROKEN)))).toBeUndefined();
  });
});

it("names version and retrieval of a run on τ³-bench's own package, with the package's grades", async () => {
  const grade: Grade = {
    reward: 0,
    parts: [
      { kind: 'data', counts: true, checks: [{ wanted: null, isMet: false }], numberSpellingOnly: false },
      { kind: 'sentences', counts: true, checks: [{ wanted: 'Kind.', isMet: null }] },
    ],
  };
  const played = record(3, 0);
  const config = { ...played.config, env: 'tau2:banking_knowledge' };
  const episode = { ...played, config, grade, reward: 0, task: { ...played.task, name: 'task_007' } };
  const run = manifest('run-1', PACKAGE);
  const tasks = tau2Tasks(run, undefined);
  let text = '';
  const episodes = async function* () {
    yield await Promise.resolve({ ...toExportedEpisode(played), ...episode });
  };
  for await (const piece of tau2Results(run, episodes(), tasks)) text += piece;
  expect(JSON.parse(text)).toMatchObject({
    info: {
      git_commit: 'tauflow 0.1.0, tau2 1.0.1',
      environment_info: { domain_name: 'banking_knowledge' },
      agent_info: { implementation: 'llm_agent' },
      retrieval_config: 'bm25',
      retrieval_config_kwargs: { top_k: 5 },
    },
    tasks: [{ id: 'task_007' }],
    simulations: [
      {
        task_id: 'task_007',
        reward_info: { reward: 0, db_check: { db_match: false }, reward_basis: ['DB', 'NL_ASSERTION'] },
      },
    ],
  });
  expect(tasks.isJudgeMissing()).toBe(true);
});

const simulation = (changes: object) => ({ task_id: 'x', termination_reason: 'user_stop', ...changes });
const fileOf = (tasks: readonly string[], ...simulations: object[]) =>
  JSON.stringify({ info: {}, tasks: tasks.map((id) => ({ id })), simulations });
const read = (text: string) => parseResults(text, 'theirs.json');

describe('a results file of τ³-bench', () => {
  it('numbers tasks by their ids, or by their places where an id is no number', () => {
    const ids = (text: string) => read(text).map(({ task_id: id }) => id);
    expect(ids(fileOf(['7', '12'], simulation({ task_id: '12' }), simulation({ task_id: '7' })))).toEqual([12, 7]);
    expect(ids(fileOf(['[a]', '12'], simulation({ task_id: '12' }), simulation({ task_id: '[a]' })))).toEqual([1, 0]);
  });

  it('leaves out of the score what infrastructure ended, and nothing else', () => {
    const ends = ['too_many_errors', 'agent_error', 'user_error', 'infrastructure_error', 'max_steps', 'agent_stop'];
    const simulations = ends.map((termination_reason, trial) => simulation({ termination_reason, trial }));
    const rows = read(fileOf(['x'], ...simulations)).map((entry) => rowOfEntry(entry, 'tools'));
    const { metrics } = buildReport(subjectOfRun(MANIFEST), rows);
    expect(metrics.infrastructureErrorsLeftOut.episodes).toBe(5);
  });

  it('makes a step of each call of a message, with its own result', () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: `get_${id}`, arguments: { n: 1.5 } }));
    const messages = [
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', id: 'a', content: 'first' },
      { role: 'tool', id: 'b', content: 'second' },
      { role: 'assistant', content: 'Done.' },
    ];
    expect(read(fileOf(['x'], simulation({ messages })))[0]?.traj?.map(({ content }) => content)).toEqual([
      null,
      'first',
      null,
      'second',
      'Done.',
    ]);
  });

  it.each([
    ['{"simulations": 1}', 'is not a tau-bench results file'],
    ['{"simulations": []}', 'is not a results file of τ³-bench: tasks'],
    [fileOf([], { task_id: 'x' }), 'theirs.json is not a results file of τ³-bench: simulations.0.termination_reason'],
    [fileOf([], simulation({ messages: [{ role: 1 }] })), 'simulations.0.messages.0.role'],
  ])('is refused in one sentence: %s', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  it('keeps numbers of the calls as they are written', () => {
    const messages = [{ role: 'assistant', tool_calls: [{ id: 'a', name: 'pay', arguments: { n: 131 } }] }];
    const [entry] = read(fileOf(['x'], simulation({ messages })));
    expect(entry?.traj?.[0]?.tool_calls?.[0]?.function?.arguments).toBe('{"n": 131}');
    expect(parseJson('{"n": 131}')).toEqual(new Map([['n', 131n]]));
  });
});
