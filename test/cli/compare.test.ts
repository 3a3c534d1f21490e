import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { RunLog, openRun } from '../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { CONFIG, record } from '../results/fixtures.ts';
import { expectSentence, scratchFolder, tauflow } from './in-process.ts';

/** Twelve tasks; those below `solved` are solved. */
const TASKS = Array.from({ length: 12 }, (_, id) => id);

async function makeRun(cwd: string, runId: string, solved: number, config: Partial<EvaluationConfig> = {}) {
  const log = new RunLog({ runId, logDir: join(cwd, 'results') });
  const input = {
    run: { runId, logDir: log.logDir },
    config: { ...CONFIG, ...config },
    plan: { taskIds: TASKS, numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    workflowId: runId,
  };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
  await log.writeRun({ ...manifest, status: 'completed' });
  for (const id of TASKS) await log.writeEpisode(record(id, 0, { reward: id < solved ? 1 : 0 }));
}

function writeResults(cwd: string, name: string, solved: number): string {
  const file = join(cwd, name);
  writeFileSync(
    file,
    JSON.stringify(TASKS.map((id) => ({ task_id: id, reward: id < solved ? 1 : 0, info: {}, traj: [], trial: 0 }))),
  );
  return file;
}

describe('compare', () => {
  it('shows both runs, the difference and the tasks that changed', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'tuesday', 3, { seed: 11 });
    const { code, stdout, stderr } = await tauflow(['compare', 'monday', 'tuesday'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^regression: worse than monday: 0\.833 → 0\.250 over 12 tasks, −0\.583 \(95 % CI −/);
    expect(stdout).toMatch(/tuesday +│ +12 │ +0\.250 │ +0\.250/);
    expect(stdout).toMatch(/McNemar’s exact test +p = 0\.016 +7 tasks solved only before, 0 only after/);
    expect(stdout).toContain('seed: 10, now 11');
    expect(stdout).toContain('task 9: 1.000 → 0.000');
  });

  it('exits with 1 for a regression only where that is asked for, and never for an improvement', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'tuesday', 3);
    expect((await tauflow(['compare', 'monday', 'tuesday', '--fail-on-regression'], { cwd })).code).toBe(1);
    expect((await tauflow(['compare', 'tuesday', 'monday', '--fail-on-regression'], { cwd })).code).toBe(0);
    expect((await tauflow(['compare', 'monday', 'monday', '--fail-on-regression'], { cwd })).code).toBe(0);
  });

  it('reads results files of any tool, and pairs them by task', async () => {
    const cwd = scratchFolder();
    const [a, b] = [writeResults(cwd, 'a.json', 10), writeResults(cwd, 'b.json', 9)];
    const { code, stdout } = await tauflow(['compare', a, b, '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      verdict: 'no_difference',
      run: { run_id: 'b', average_reward: 0.75, status: null },
      errors_left_out: { tasks: 12, mc_nemar: { worse: 1, better: 0, p: 1 } },
      worse: [{ task_id: 9, before: 1, after: 0 }],
    });
  });

  it('gives Markdown for a chat', async () => {
    const cwd = scratchFolder();
    const [a, b] = [writeResults(cwd, 'a.json', 3), writeResults(cwd, 'b.json', 10)];
    const { stdout } = await tauflow(['compare', a, b, '--format', 'markdown'], { cwd });
    expect(stdout).toMatch(/^# improvement: better than a/);
    expect(stdout).toContain('| b | 12 | 0.833 | 0.833 | — | — |');
  });

  it('refuses runs of different tasks, and runs that are not there', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'other', 10, { pack: { ...CONFIG.pack, digest: 'cd'.repeat(32) } });
    const other = await tauflow(['compare', 'monday', 'other'], { cwd });
    expect(other.stderr).toMatch(/monday and other cannot be compared, because the pack was shop ab/);
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/--allow-different compares them/);
    const missing = await tauflow(['compare', 'monday', 'sunday'], { cwd });
    expect(missing.stderr).toMatch(/there is no run sunday/);
    expect(missing.code).toBe(2);
  });

  it('compares runs of different tasks where that is asked for, and says so first', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'other', 10, { pack: { ...CONFIG.pack, digest: 'cd'.repeat(32) } });
    const { code, stdout } = await tauflow(['compare', 'monday', 'other', '--allow-different'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^no difference shown against monday: .*\n\nwarning: DIFFERENT TASKS, .* the pack was shop ab/,
    );
  });

  it('compares several, run logs and results files mixed, and says which differ', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'tuesday', 9, { maxSteps: 5 });
    const file = writeResults(cwd, 'theirs.json', 1);
    const { code, stdout, stderr } = await tauflow(['compare', 'monday', 'tuesday', file], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^3 runs over 12 tasks in common: 2 of 3 pairs differ\./);
    expect(stdout).toContain('warning: Not only the agents differ: max_steps.');
    expect(stdout).toContain('warning: Only results are known of theirs');
    expect(stdout).toMatch(/monday +│ +12 │ 0\.833 │ [^│]+│ +a │.*\n.*tuesday +│ +12 │ 0\.750 │ [^│]+│ +a │/);
    expect(stdout).toContain('No difference shown among: monday, tuesday.');
    expect(stdout).toContain('max_steps: 30 (monday); 5 (tuesday); not known (theirs)');
    const failing = ['compare', 'monday', 'tuesday', file, '--fail-on-regression', '--json'];
    const json = await tauflow(failing, { cwd });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ groups: [['monday', 'tuesday'], ['theirs']], tasks: 12 });
  });

  it('distinguishes files of one name by their paths, and refuses one that is given twice among several', async () => {
    const cwd = scratchFolder();
    for (const folder of ['old', 'new']) mkdirSync(join(cwd, folder));
    writeResults(cwd, 'old/same.json', 10);
    writeResults(cwd, 'new/same.json', 9);
    const two = await tauflow(['compare', 'old/same.json', 'new/same.json'], { cwd });
    expect(two.stdout).toMatch(/^no difference shown against old\/same\.json: /);
    const twice = await tauflow(['compare', 'old/same.json', 'new/same.json', './old/same.json'], { cwd });
    expect(twice.code).toBe(2);
    expect(twice.stderr).toMatch(/\.\/old\/same\.json is given twice/);
    const one = await tauflow(['compare', 'old/same.json'], { cwd });
    expect(one.code).toBe(2);
    expect(one.stderr).toMatch(/takes two runs or more/);
  });
});

describe('baselines', () => {
  it('name a run or a results file of the log folder, for comparisons', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    await makeRun(cwd, 'tuesday', 3);
    writeResults(cwd, 'results/theirs.json', 10);
    expect((await tauflow(['baseline', 'list'], { cwd })).stdout).toBe(
      'No baseline is set; `tauflow baseline set` sets one.',
    );
    for (const [name, run] of [
      ['main', 'tuesday'],
      ['main', 'monday'],
      ['theirs', 'results/theirs.json'],
    ] as const) {
      expect(await tauflow(['baseline', 'set', name, run], { cwd })).toEqual({
        code: 0,
        stdout: `baseline ${name}: ${run.replace('results/', '')}`,
        stderr: '',
      });
    }
    const listed = await tauflow(['baseline', 'list', '--json'], { cwd });
    expect(JSON.parse(listed.stdout)).toEqual({ main: 'monday', theirs: 'theirs.json' });

    const words = ['compare', 'tuesday', '--baseline', 'main', '--fail-on-regression'];
    const { code, stdout } = await tauflow(words, { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^regression: worse than monday: /);
    const file = await tauflow(['compare', 'tuesday', '--baseline', 'theirs', '--allow-different'], { cwd });
    expect(file.stdout).toMatch(/^regression: worse than theirs: /);
  });

  it('are refused where they would be lost, and named where one is not known', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'monday', 10);
    writeResults(cwd, 'elsewhere.json', 10);
    const refused = async (...words: string[]) => expectSentence(await tauflow(words, { cwd }), 2, /error: /);
    await refused('baseline', 'set', 'main', 'elsewhere.json');
    await refused('baseline', 'set', 'a name', 'monday');
    await refused('baseline', 'set', 'main', 'friday');
    await refused('compare', 'monday', '--baseline', 'main');
    await tauflow(['baseline', 'set', 'main', 'monday'], { cwd });
    expect((await tauflow(['compare', 'monday', '--baseline', 'maim'], { cwd })).stderr).toMatch(/; there are main\.$/);
    expect((await tauflow(['baseline', 'remove', 'main'], { cwd })).code).toBe(0);
    await refused('baseline', 'remove', 'main');
  });
});
