/** Results files whose calls are in `info.executed_actions`, as the adapter of the FastWorkflow fork writes them. */

import { describe, expect, it } from 'vitest';

import { analyzeEpisode } from '../../src/analysis/index.ts';
import { STOP_MARKER, type Action, type Task } from '../../src/benchmarks/index.ts';
import { detectForm, type ResultsFileEntry } from '../../src/benchmarks/results.ts';
import { episodeOfEntry, explainDifference } from '../../src/results/regrade/index.ts';
import { reportOfEntries, metricsToJson } from '../../src/results/report/index.ts';
import { rowOfEntry } from '../../src/run-log/index.ts';
import { action, shop } from '../benchmarks/helpers.ts';
import { entry, regraded } from './regrade/episodes.ts';

const CANCEL = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}');
const READ = action('get_order_details', '{"order_id": "#W1"}');
const MISTAKE = action('cancel_pending_order', '{"order_id": "#W1", "reason": "ordered by mistake"}');
const TRANSFER = action('transfer_to_human_agents', '{"summary": "enough"}');
/** A command of the agent's framework, which no benchmark knows. */
const ABORT = action('ErrorCorrection/abort');
const TASK: Task = { userId: 'ada_1', instruction: 'Cancel it.', actions: [CANCEL], outputs: [] };

interface Logged {
  readonly reward?: number;
  readonly replies?: readonly string[];
  readonly last?: string;
  readonly success?: boolean;
  readonly info?: object;
}

function logged(
  calls: readonly Action[],
  { reward = 0, replies = ['Which one?', 'Your order has been cancelled.'], last = STOP_MARKER, ...more }: Logged = {},
): ResultsFileEntry {
  const traj = [
    { role: 'system', content: 'FastWorkflow retail agent' },
    { role: 'user', content: 'Hello' },
    ...replies.flatMap((content, at) => [
      { role: 'assistant', content },
      { role: 'user', content: at === replies.length - 1 ? last : 'That one.' },
    ]),
  ];
  const info = {
    task_index: 0,
    steps: 99,
    executed_actions: calls.map((call) => ({ ...call, response_text: 'Response: ok', success: more.success ?? true })),
    reward_info: { reward, info: { r_actions: reward, gt_data_hash: 'x' }, actions: [] },
    ...more.info,
  };
  return entry(replies.length === 0 ? [] : traj, { reward, info });
}

const row = (given: ResultsFileEntry) => rowOfEntry(given, detectForm([given]));

describe('the row of an entry whose calls are in a log', () => {
  it('counts calls and replies, and takes no count of the file for steps', () => {
    expect(row(logged([READ, CANCEL]))).toMatchObject({ steps: 4, turns: 2, outcome: 'user_stop' });
  });

  it('has unknown steps and turns without a conversation', () => {
    expect(row(logged([READ, CANCEL], { replies: [] }))).toMatchObject({ steps: null, turns: null });
    expect(row(entry([], { info: { error: 'boom' } }))).toMatchObject({ steps: null, turns: null, outcome: 'error' });
  });

  it('says that it does not know how an episode ended that nothing in the file ends', () => {
    expect(row(logged([READ], { last: 'And now?' })).outcome).toBe('unknown');
    expect(row(logged([TRANSFER, READ], { last: 'And now?' })).outcome).toBe('transferred');
    expect(row(logged([READ], { last: 'And now?', info: { reward_info: null } })).outcome).toBe('max_steps');
  });
});

describe('the figures of such a file', () => {
  it('have the turns of the replies', () => {
    const metrics = metricsToJson(reportOfEntries('f.json', [logged([CANCEL], { reward: 1 })], null));
    expect(metrics).toMatchObject({ success_turn: { mean: 2 }, success_within_turns: { '1': 0, '2': 1 } });
  });

  it('are unknown, not 0, where there is no conversation', () => {
    const report = reportOfEntries('f.json', [logged([CANCEL], { reward: 1, replies: [] })], null);
    expect(metricsToJson(report)).toMatchObject({
      steps_to_success: null,
      success_turn: null,
      success_within_turns: {},
      steps: null,
      turns: null,
    });
    expect(report.tasks[0]).toMatchObject({ steps: null, stepsToSuccess: null, successTurn: null });
    expect(report.remarks[0]).toContain('when each was made between the replies is not known');
  });
});

describe('the analysis of an entry whose calls are in a log', () => {
  const faults = (calls: readonly Action[]) =>
    analyzeEpisode(shop, episodeOfEntry(logged(calls), TASK, 'log')).faults.map(({ kind, step }) => ({ kind, step }));

  it('sees what the log says was written', () => {
    expect(faults([READ, MISTAKE])).toEqual([{ kind: 'wrong_argument', step: 2 }]);
  });

  it('names no step for a reply, nor for what was left out', () => {
    expect(faults([READ])).toEqual([
      { kind: 'said_not_done', step: null },
      { kind: 'missing_write', step: null },
    ]);
  });
});

describe('regrading an entry whose calls are in a log', () => {
  it('replays them all, also after a transfer', () => {
    const given = logged([READ, ABORT, TRANSFER, CANCEL], { reward: 1 });
    expect(regraded(shop, TASK, given)).toMatchObject({
      replayedReward: 1,
      ending: { kind: 'user_stop' },
      isOrdered: false,
      mismatches: [],
    });
  });

  it('names changes that the log says were made and the tools refuse', () => {
    const record = regraded(shop, { ...TASK, actions: [] }, logged([CANCEL, MISTAKE], { reward: 1 }));
    expect(record.refusedWrites).toMatchObject([{ position: 1, action: 'cancel_pending_order' }]);
    expect(explainDifference(record)).toMatch(
      /^data: .*; logged as done, refused by the benchmark's tool: cancel_pending_order \(Error: .*\); the file says r_actions 1\.0$/,
    );
  });

  it('holds a call that the framework never made against nobody', () => {
    const empty = action('cancel_pending_order');
    expect(regraded(shop, TASK, logged([empty, CANCEL], { success: false })).mismatches).toMatchObject([
      { position: 1 },
    ]);
  });

  it('grades a success that was reported as a failure, and says so', () => {
    const record = regraded(shop, TASK, logged([CANCEL]));
    expect(explainDifference(record)).toBe('the data are right, and no output is missing; the file says r_actions 0.0');
  });
});
