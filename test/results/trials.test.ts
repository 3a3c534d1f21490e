import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { asTrialsOfOneRun, requireDistinctEpisodes } from '../../src/results/files/index.ts';
import { scratchFolder, tauflow } from '../cli/in-process.ts';

const result = (taskId: number, trial?: number, reward = 1) => ({
  task_id: taskId,
  reward,
  ...(trial === undefined ? {} : { trial }),
});

describe('an episode that is there twice', () => {
  it.each([
    ['with another reward', [result(3, 0), result(3, 0, 0)], 'task 3 trial 0 (2 times)'],
    ['as it was', [result(3, 1), result(4, 1), result(3, 1), result(3, 1)], 'task 3 trial 1 (3 times)'],
    ['without a trial', [result(0), result(0)], 'task 0 trial 0 (2 times)'],
  ])('is named %s', (_, entries, named) => {
    expect(() => requireDistinctEpisodes(entries, 'all.json')).toThrow(
      `all.json has more than one result of ${named};`,
    );
  });

  it('is not complained of where each trial has its number', () => {
    expect(() => requireDistinctEpisodes([result(3, 0), result(3, 1), result(4, 0)], 'all.json')).not.toThrow();
  });
});

describe('several files as the trials of one run', () => {
  it('number their trials on', () => {
    const merged = asTrialsOfOneRun([[result(0, 0), result(1, 0)], [result(0, 2), result(0, 5)], [result(0)]]);
    expect(merged.map(({ task_id: taskId, trial }) => [taskId, trial])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
  });
});

describe('tauflow on files of one trial each', () => {
  const files = [
    [result(0), result(1)],
    [result(0), result(1, 0, 0)],
  ];
  const folder = () => {
    const cwd = scratchFolder();
    for (const [at, entries] of files.entries()) writeFileSync(join(cwd, `t${at}.json`), JSON.stringify(entries));
    writeFileSync(join(cwd, 'all.json'), JSON.stringify(files.flat()));
    return cwd;
  };

  it.each([
    ['report', ['all.json']],
    ['compare', ['all.json', 't0.json']],
  ])('refuses to %s them put together', async (command, words) => {
    const { code, stdout, stderr } = await tauflow([command, ...words], { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('more than one result of task 0 trial 0 (2 times), task 1 trial 0 (2 times);');
    expect(stderr).toContain('--as-trials');
  });

  it('reports them as one run where it is asked to', async () => {
    const { code, stdout } = await tauflow(['report', 't0.json', 't1.json', '--as-trials', '--json'], {
      cwd: folder(),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      subject: { run_id: 't0-and-1-more' },
      metrics: { tasks: 2, trials: 2, pass_hat_k: { '1': 0.75, '2': 0.5 } },
    });
  });

  it('takes no file for a further trial of itself, and no run for a file', async () => {
    const cwd = folder();
    for (const words of [
      ['t0.json', 't0.json'],
      ['t0.json', 'mine'],
    ]) {
      expect(await tauflow(['report', ...words, '--as-trials'], { cwd })).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
