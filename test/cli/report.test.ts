/** `tauflow report`: its formats, several runs at once, and results files with and without what they were run on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { namesIn, scratchFolder, tauflow } from './in-process.ts';
import { idleFile, makeRun } from './reported-runs.ts';

describe('report', () => {
  it('reports floor, ceiling and why episodes failed, where the run’s pack is', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stdout, stderr } = await tauflow(['report', 'mine', '--all'], { cwd });
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

  it('says why the episodes of anybody’s file failed, where it is given what they were run on', async () => {
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
    [['--output', 'results/mine/run.json/x'], /the file results\/mine\/run\.json\/x cannot be written: /],
  ])('refuses %j in one sentence', async (words, sentence) => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stdout, stderr } = await tauflow(['report', 'mine', ...words], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});
