/** `tauflow export --preflight`, and several runs in one submission. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRun, RunLog } from '../../src/run-log/index.ts';
import { CONFIG, record } from '../results/fixtures.ts';
import { scratchFolder, tauflow } from './in-process.ts';
import { makeRun } from './reported-runs.ts';

/** A run of one task of τ³-bench with four trials. */
async function makeTau3Run(cwd: string, runId: string, domain: string): Promise<void> {
  const log = new RunLog({ runId, logDir: join(cwd, 'results') });
  const run = { runId, logDir: log.logDir };
  const config = { ...CONFIG, env: `tau3-${domain}`, split: 'base', maxSteps: 200 };
  const plan = { taskIds: [3], numTrials: 4, shuffle: false };
  const input = { run, config, plan, maxConcurrency: 1, maxCostUsd: null, workflowId: runId };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
  await log.writeRun({ ...manifest, status: 'completed', endedAt: manifest.startedAt });
  for (const trial of [0, 1, 2, 3]) await log.writeEpisode(record(3, trial, { run, config }));
}

describe('export --preflight', () => {
  it('names what the leaderboard would refuse, writes nothing and ends with 1', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 3);
    for (const words of [[], ['--format', 'tau2']]) {
      const { code, stdout } = await tauflow(['export', 'mine', '--preflight', ...words], { cwd });
      expect(code).toBe(1);
      expect(stdout).toBe(
        '✗ domains        the run mine is of tau-bench, and the leaderboard takes runs of τ³-bench\n' +
          '1 of 1 checks found something wrong.',
      );
    }
    expect(existsSync(join(cwd, 'results/mine.tau2'))).toBe(false);
  });

  it('checks what a run of τ³-bench has', async () => {
    const cwd = scratchFolder();
    await makeTau3Run(cwd, 'shop', 'retail');
    const { stdout, stderr } = await tauflow(['export', 'shop', '--preflight'], { cwd });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^✓ type +standard/m);
    expect(stdout).toMatch(/^– domains +airline, telecom, banking_knowledge missing/m);
    expect(stdout).toMatch(
      /^✗ tasks +the tasks of shop cannot be checked, because its pack .* is not on this machine/m,
    );
  });

  it.each([
    [['mine'], '--format'],
    [['mine', '--preflight', '--format', 'csv'], '--preflight is for --format tau2'],
    [['mine', '--preflight', '--format', 'tau2', '--output', '-'], 'name a file'],
    [['mine', 'other', '--format', 'atif'], 'only tau2 takes several runs'],
  ])('refuses %s', async (words, sentence) => {
    const { code, stderr } = await tauflow(['export', ...words], { cwd: scratchFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('several runs in one submission', () => {
  it('are laid out as the tools of the benchmark want them', async () => {
    const cwd = scratchFolder();
    await makeTau3Run(cwd, 'shop', 'retail');
    await makeTau3Run(cwd, 'fly', 'airline');
    const { code, stderr } = await tauflow(['export', 'shop', 'fly', '--format', 'tau2', '--output', 'mine'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('wrote mine/submission.json');
    const read = (file: string) => JSON.parse(readFileSync(join(cwd, 'mine', file), 'utf8')) as object;
    expect(read('submission.json')).toMatchObject({
      trajectory_files: { retail: 'shop.json', airline: 'fly.json' },
      results: { retail: { pass_4: 100 }, airline: { pass_4: 100 } },
    });
    expect(read('trajectories/fly.json')).toMatchObject({ info: { environment_info: { domain_name: 'airline' } } });
  });
});
