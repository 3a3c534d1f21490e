import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Message } from '../../src/agents/index.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { grade, type Action } from '../../src/benchmarks/index.ts';
import { toRewardInfo, resolvePack } from '../../src/benchmarks/testing.ts';
import { buildEpisodeRecord } from '../../src/run-log/index.ts';
import { assembleResultsFile } from '../../src/results/files/index.ts';
import { action, createHasher, dict } from '../benchmarks/helpers.ts';
import { recordInput } from '../results/fixtures.ts';
import { play } from '../results/regrade/episodes.ts';
import { scratchFolder, tauflow } from './in-process.ts';
import { recordedRun } from './recorded-run.ts';

const pack = await resolvePack('retail');
const tasks = pack.splits['dev'] ?? [];
const BYE = action('respond', '{"content": "Bye"}');
/** Address for a call that changes data in any task. */
const ADDRESS = `"address1": "1 Elm", "address2": "", "city": "Reno", "country": "USA", "state": "NV", "zip": "1"`;

/** Entries of a results file of the dev split: the ground truth of each task, with a goodbye. */
function entries(change: (actions: readonly Action[], id: number) => readonly Action[] = (actions) => actions) {
  return tasks.map((task, id) => {
    const tools = task.actions.filter(({ name }) => name !== 'respond' && !pack.terminateTools.includes(name));
    const told = action('respond', dumpJson({ content: task.outputs.join(' ') }));
    const { messages } = play(pack, [...change([...tools, told], id), BYE], ['And?']);
    const { userId, instruction, actions, outputs } = task;
    const info = { task: { user_id: userId, actions, instruction, outputs }, source: 'user', user_cost: null };
    return { task_id: id, reward: 1, info, traj: messages, trial: 0 };
  });
}

function withFile(content: unknown): string {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'theirs.json'), typeof content === 'string' ? content : dumpJson(content as object));
  return cwd;
}

const DEV = ['--task-split', 'dev'];
const regrade = async (content: unknown, ...words: string[]) =>
  tauflow(['regrade', 'theirs.json', ...words], { cwd: withFile(content) });

describe('regrade', () => {
  it('finds the recorded rewards again', async () => {
    const { code, stdout, stderr } = await regrade(entries(), ...DEV);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/theirs\.json\nretail dev of the pack .*; actions read from tool calls\n/);
    expect(stdout).toMatch(/│ +0 │ +0 │ +0 │ +1 │ +1 │ +\d+ │ +│/);
    expect(stdout).toMatch(new RegExp(`equal rewards +${tasks.length}\\n {2}different rewards +0\\n`));
  });

  it('exits with 1 where a reward differs, and says which fields of which records make it so', async () => {
    const [user = ''] = [tasks[3]?.userId];
    const move = action('modify_user_address', `{"user_id": "${user}", ${ADDRESS}}`);
    const { code, stdout } = await regrade(
      entries((actions, id) => (id === 3 ? [move, ...actions] : actions)),
      ...DEV,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/│ +3 │ +3 │ +0 │ +1 │ +0 │ +\d+ │ data: users .* │/);
    const details = stdout.slice(stdout.indexOf('#3 task 3 trial 0: recorded 1, replayed 0'));
    expect(details).toContain(`\n  users ${user}\n    address.address1: agent "1 Elm", ground truth "`);
    expect(stdout).toMatch(/different rewards +1\n {2}average recorded +1\.000\n/);
  });

  it('writes one JSON document, numbers as the data have them', async () => {
    const cwd = withFile(entries());
    const words = ['regrade', 'theirs.json', ...DEV];
    const { stdout } = await tauflow([...words, '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      env: 'retail',
      split: 'dev',
      trajectories: 'tools',
      summary: { records: tasks.length, rewards_differ: 0 },
      records: tasks.map((_, id) => ({
        index: id,
        task_id: id,
        trial: 0,
        done: true,
        reasons: [],
        data_differences: [],
      })),
    });
    expect(stdout).toContain('"replayed_reward": 1.0');
    const written = await tauflow([...words, '--out', 'regraded.json'], { cwd });
    expect(written).toMatchObject({ code: 0, stderr: 'wrote regraded.json' });
    expect(readFileSync(join(cwd, 'regraded.json'), 'utf8')).toBe(`${stdout}\n`);
    expect(await tauflow([...words, '--out', 'no/such/place'], { cwd })).toMatchObject({ code: 2 });
  });

  it('reads what text agents wrote, recognized by the trajectories or by their name', async () => {
    const [task] = tasks;
    const { messages } = play(pack, [...(task?.actions ?? []), BYE], ['And?'], 'text');
    const given = [{ task_id: 0, reward: 0, traj: messages }];
    const told = await regrade(given, ...DEV, '--json');
    expect(JSON.parse(told.stdout)).toMatchObject({
      trajectories: 'text',
      records: [{ n_actions: (task?.actions.length ?? 0) + 1 }],
    });
    const asTools = await regrade(given, ...DEV, '--json', '--agent-strategy', 'tool-calling');
    expect(JSON.parse(asTools.stdout)).toMatchObject({ trajectories: 'tools' });
    expect((await regrade(given, '--agent-strategy', 'guess')).code).toBe(2);
  });

  it('replays the calls that a file logs beside the conversation, and explains each difference', async () => {
    // The ground truth of every task, as the fork's adapter writes it; but for one, where nothing was done.
    const undone = tasks.findIndex(({ actions }) => actions.some(({ name }) => name === 'cancel_pending_order'));
    const logged = tasks.map((task, id) => ({
      task_id: id,
      reward: 1.0,
      info: {
        task_index: id,
        steps: 40,
        executed_actions: (id === undone ? [] : task.actions.filter(({ name }) => name !== 'respond')).map((call) => ({
          ...call,
          response_text: 'Response: done',
          success: true,
        })),
        reward_info: { reward: 1.0, info: { r_actions: 1.0, gt_data_hash: 'x' }, actions: [] },
      },
      traj: [
        { role: 'system', content: 'FastWorkflow retail agent' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: task.outputs.join(' ') },
        { role: 'user', content: '###STOP###' },
      ],
      trial: 0,
    }));
    const { code, stdout } = await regrade(logged, ...DEV);
    expect(code).toBe(1);
    expect(stdout).toContain('when each was made between the replies is not known');
    expect(stdout).toMatch(new RegExp(`successes +${tasks.length} reported, ${tasks.length - 1} regraded`));
    const document: unknown = JSON.parse((await regrade(logged, ...DEV, '--json')).stdout);
    expect(document).toMatchObject({
      trajectories: 'log',
      notes: [expect.stringContaining('not known')],
      summary: {
        reported_successes: tasks.length,
        regraded_successes: tasks.length - 1,
        endings: { user_stop: tasks.length },
      },
      records: tasks.map((_, id) => ({
        replayed_reward: id === undone ? 0 : 1,
        difference:
          id === undone ? (expect.stringMatching(/^data: .*; the file says r_actions 1\.0$/) as string) : null,
      })),
    });
  });

  it('takes the data of our own runs from their logs', async () => {
    const cwd = scratchFolder();
    const { log } = await recordedRun(cwd, { taskSplit: 'dev' }, 'completed');
    for (const [taskId, task] of tasks.entries()) {
      const { messages, actions } = play(pack, [...task.actions, BYE]);
      const graded = grade(pack, task, actions, { hash: createHasher(pack) });
      if (graded.kind === 'raised') throw new Error(graded.message);
      const info = toRewardInfo(graded.grade);
      const input = recordInput({
        episode: { taskId, trial: 0 },
        reward: info.reward,
        grade: { kind: 'graded', info },
        outcome: { kind: 'user_stop' },
      });
      await log.writeEpisode(buildEpisodeRecord(input, { task, messages: messages as Message[], actions }));
    }
    await assembleResultsFile(log);
    const { code, stdout } = await tauflow(['regrade', 'results/mine.json', '--json'], { cwd });
    expect(code).toBe(0);
    const document = dict(stdout);
    expect(document.get('split')).toBe('dev');
    expect(JSON.parse(stdout)).toMatchObject({
      summary: { records: tasks.length, rewards_equal: tasks.length, observation_mismatches: { records: 0 } },
    });
  });

  it.each([
    ['{', 'cut short or is not JSON'],
    ['{}', 'has to be a JSON list of results'],
    ['[{"task_id": 0}]', 'something else than a result at position 0'],
    ['[{"task_id": 99, "reward": 0}]', 'has results of task 99, but split dev of the pack'],
    [
      '[{"task_id": 0, "reward": 0, "info": {"task": {"user_id": "nobody_1", "instruction": "", "actions": []}}}]',
      'the file is of other tasks than split dev',
    ],
  ])('refuses %s in one sentence', async (content, sentence) => {
    const { code, stdout, stderr } = await regrade(content, ...DEV);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('\n');
  });

  it('refuses a file, an env, a split and a pack that are not there', async () => {
    expect((await tauflow(['regrade', 'nothing.json'])).stderr).toContain('cannot be read: it does not exist');
    for (const words of [
      ['--env', 'space'],
      ['--task-split', 'none'],
      ['--pack', 'none'],
    ]) {
      expect(await regrade([], ...words)).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('has nothing to say of an empty file', async () => {
    const { code, stdout } = await regrade([]);
    expect(code).toBe(0);
    expect(stdout).toContain('The file has no results.');
  });
});
