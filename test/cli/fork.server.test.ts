/** `tauflow fork`: what is refused before anything starts, and a fork that is left to other workers. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';

import { scratchFolder, tauflow } from './in-process.ts';

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
    ['a strategy', ['task-6.trial-0', '--at-step', '2', '--agent-strategy', 'none'], 'unknown --agent-strategy "none"'],
    ['one that cannot', ['task-6.trial-0', '--at-step', '2', '--agent-strategy', 'act'], 'act cannot take over'],
    ['no file', ['task-6.trial-0', '--at-step', '2', '--observation-file', 'no'], 'the file no cannot be read'],
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
