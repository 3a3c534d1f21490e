/** `tauflow report`: its formats, several runs at once, and results files with and without what they were run on. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { readPack } from '../../src/packs/read.ts';
import { shippedPackFolder } from '../../src/packs/find.ts';
import { RunLog } from '../../src/results/log/run-log.ts';
import { openRun } from '../../src/results/log/manifest.ts';
import { record, CONFIG } from '../results/fixtures.ts';
import { namesIn, scratchFolder, tauflow } from './in-process.ts';

const pack = await readPack((await shippedPackFolder('retail')) ?? '');

/** Two tasks of the shipped pack, two trials each; `solved` of the four are. */
async function makeRun(cwd: string, runId: string, solved: number, address = '127.0.0.1:7233'): Promise<RunLog> {
  const log = new RunLog({ runId, logDir: join(cwd, 'results') });
  const input = {
    run: { runId, logDir: log.logDir },
    config: { ...CONFIG, pack: pack.ref },
    plan: { taskIds: [0, 7], numTrials: 2, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    workflowId: runId,
  };
  const temporal = { address, namespace: 'default', workflowId: runId };
  const manifest = await openRun(log, input, { label: 'TC', versions: {}, temporal, notes: [] });
  await log.writeRun({ ...manifest, status: 'completed', endedAt: manifest.startedAt });
  for (const [i, [taskId, trial]] of (
    [
      [0, 0],
      [0, 1],
      [7, 0],
      [7, 1],
    ] as const
  ).entries()) {
    await log.writeEpisode(record(taskId, trial, { reward: i < solved ? 1 : 0, run: input.run }));
  }
  return log;
}

/** A results file of an agent that greets and does nothing. */
function idleFile(cwd: string): void {
  const traj = [
    { role: 'system', content: 'policy' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: '###STOP###' },
  ];
  const info = { reward_info: { reward: 0 }, source: 'user', user_cost: null, task: null };
  const entries = [0, 7].map((task_id) => ({ task_id, reward: task_id === 7 ? 1 : 0, info, traj, trial: 0 }));
  writeFileSync(join(cwd, 'idle.json'), JSON.stringify(entries));
}

describe('report', () => {
  it('tells floor, ceiling and why episodes failed, where the run’s pack is', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stdout, stderr } = await tauflow(['report', 'mine'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // Task 7 of the shipped pack is solved by doing nothing.
    expect(stdout).toMatch(/floor +0\.500 +an agent that does and says nothing solves 1 task/);
    expect(stdout).toContain('The average reward 0.250 is no better than that of an agent that does and says nothing');
    expect(stdout).toContain('Why episodes failed');
    expect(stdout).not.toContain('not analyzed');
    expect(stdout).toMatch(/run log {2}.*results\/mine$/);
  });

  it.each([
    ['csv', /^"run","task","trial",.*\r\n"mine",0,0,1,true,/],
    ['junit', /^<\?xml .*\n<testsuites name="tauflow">\n {2}<testsuite name="mine" tests="4" failures="3"/],
    ['html', /^<!doctype html>\n/],
    ['markdown', /^# mine\n/],
    ['json', /^\{\n {2}"subject"/],
  ])('writes %s to stdout, or to a file in one go', async (format, begins) => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const words = ['report', 'mine', '--format', format];
    const { stdout } = await tauflow([...words, '--output', '-'], { cwd });
    expect(stdout).toMatch(begins);
    const written = await tauflow([...words, '--output', 'out/report'], { cwd });
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'wrote out/report' });
    expect(namesIn(join(cwd, 'out'))).toEqual(['report']);
    expect(readFileSync(join(cwd, 'out/report'), 'utf8')).toBe(`${stdout}\n`);
  });

  it('puts the page beside the results, where no file is named', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'a', 1);
    await makeRun(cwd, 'b', 3);
    idleFile(cwd);
    const page = async (...subjects: string[]) =>
      (await tauflow(['report', ...subjects, '--format', 'html'], { cwd })).stderr;
    expect(await page('a')).toBe('wrote results/a.html');
    expect(await page('a', 'b')).toBe('wrote results/a-vs-b.html');
    expect(await page('a', 'b', 'idle.json')).toBe('wrote results/a-and-2-more.html');
    expect(await page('idle.json')).toBe('wrote idle.html');
  });

  it('reports several runs, and compares them', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'a', 1);
    await makeRun(cwd, 'b', 3);
    const { stdout } = await tauflow(['report', 'a', 'b'], { cwd });
    expect(stdout).toMatch(/^a\n/);
    expect(stdout).toMatch(/\n\nb\n/);
    expect(stdout).toMatch(/average reward +0\.250[^]*average reward +0\.750[^]*no difference/);
    const json = JSON.parse((await tauflow(['report', 'a', 'b', '--json'], { cwd })).stdout) as object;
    expect(json).toMatchObject({
      reports: [{ subject: { run_id: 'a' } }, { subject: { run_id: 'b' } }],
      comparison: { verdict: 'no_difference' },
    });
    const three = await tauflow(['report', 'a', 'b', 'results/a', '--format', 'markdown'], { cwd });
    expect(three.stdout.match(/^# /gm)?.length).toBeGreaterThanOrEqual(3);
    const csv = await tauflow(['report', 'a', 'b', '--format', 'csv'], { cwd });
    expect(csv.stdout.match(/^"[ab]",/gm)).toHaveLength(8);
  });

  it('leads from what changed between runs to their records and Temporal UI, as compare does', async () => {
    const cwd = scratchFolder();
    for (const [runId, solved] of [
      ['a', 1],
      ['b', 3],
    ] as const) {
      await makeRun(cwd, runId, solved, 'shop.abcde.tmprl.cloud:7233');
    }
    const read = async (command: string) =>
      JSON.parse((await tauflow([command, 'a', 'b', '--json'], { cwd })).stdout) as object;
    const [report, compared] = [await read('report'), await read('compare')];
    expect(compared).toMatchObject({
      better: [
        {
          episodes_after: [
            {
              record: 'b/episodes/task-0.trial-0.json',
              url: 'https://cloud.temporal.io/namespaces/default/workflows/b%2Ftask-0%2Ftrial-0',
            },
            {},
          ],
        },
        // Records without an analysis are analysed when they are read.
        { fault: { run_id: 'a', trial: 0, fault: { kind: 'missing_output' } } },
      ],
    });
    expect(report).toMatchObject({ comparison: compared });
  });

  it('fails when any of several is below the threshold', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'a', 1);
    await makeRun(cwd, 'b', 3);
    const failed = await tauflow(['report', 'b', 'a', '--format', 'junit', '--fail-under', '0.5'], { cwd });
    expect(failed).toMatchObject({ code: 1, stderr: 'the average reward 0.250 is below --fail-under 0.5' });
    expect(failed.stdout).toContain('<testsuite name="a"');
    expect((await tauflow(['report', 'b', '--fail-under', '0.5'], { cwd })).code).toBe(0);
  });

  it('says why the episodes of anybody’s file failed, where it is told what they were run on', async () => {
    const cwd = scratchFolder();
    idleFile(cwd);
    const bare = JSON.parse((await tauflow(['report', 'idle.json', '--json'], { cwd })).stdout) as object;
    expect(bare).toMatchObject({ metrics: { floor: null, faults: { failed: 1, not_analyzed: 1 } }, task_notes: null });
    const told = await tauflow(['report', 'idle.json', '--json', '--env', 'retail'], { cwd });
    expect(JSON.parse(told.stdout)).toMatchObject({
      subject: { env: 'retail', split: 'test' },
      metrics: { floor: 0.5, faults: { failed: 1, not_analyzed: 0 } },
    });
    const other = await tauflow(['report', 'idle.json', '--task-split', 'none'], { cwd });
    expect(other).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [['--fail-under', '2'], /--fail-under must be a number from 0 to 1/],
    [['--temporal-ui', 'localhost'], /--temporal-ui must be a web address such as/],
    [['--format', 'pdf'], /Allowed choices are table, json, markdown, csv, junit, html/],
    [['--pack', 'nowhere'], /there is no pack "nowhere"/],
    [['--output', 'results/mine/run.json/x'], /the report results\/mine\/run\.json\/x cannot be written: /],
  ])('refuses %j in one sentence', async (words, sentence) => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stdout, stderr } = await tauflow(['report', 'mine', ...words], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
