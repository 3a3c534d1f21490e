import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { formatPackKey, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { openRun, RunLog } from '../../src/run-log/index.ts';
import { newResponder } from '../scripted-model/helpers.ts';
import { CONFIG, record } from '../results/fixtures.ts';
import { scratchFolder, tauflow } from './in-process.ts';

const folder = new URL('../../data/retail', import.meta.url).pathname;
const TRIALS = [0, 1];

/** The run log of a scripted model's run: it succeeds wherever its draws make no mistake. */
async function scriptedRun(cwd: string, pack: Pack, runId: string, rate: number, seed: number): Promise<void> {
  const responder = newResponder(pack);
  const taskIds = (pack.splits['test'] ?? []).map((_, taskId) => taskId);
  const log = new RunLog({ runId, logDir: join(cwd, 'results') });
  const config = {
    ...CONFIG,
    pack: { ...CONFIG.pack, digest: pack.ref.digest },
    agentModel: { provider: 'scripted', model: `oracle:${String(rate)}`, temperature: 0 },
    seed,
  };
  const plan = { taskIds, numTrials: TRIALS.length, shuffle: false };
  const input = { run: log, config, plan, maxConcurrency: 1, maxCostUsd: null, workflowId: runId };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal: null, notes: [] });
  await log.writeRun({ ...manifest, status: 'completed' });
  for (const trial of TRIALS) {
    for (const taskId of taskIds) {
      const code = { packKey: formatPackKey(pack), split: 'test', taskId, seed: 1000 * seed + trial };
      await log.writeEpisode(record(taskId, trial, { reward: responder.findFlaw(code, rate) === null ? 1 : 0 }));
    }
  }
}

describe('run logs of the scripted model', () => {
  it('show no difference where they differ only by seed, and one where it errs more', async () => {
    const cwd = scratchFolder();
    const pack = await readPack(folder);
    await scriptedRun(cwd, pack, 'good', 0.9, 10);
    await scriptedRun(cwd, pack, 'again', 0.9, 11);
    await scriptedRun(cwd, pack, 'bad', 0.6, 12);
    const same = await tauflow(['compare', 'good', 'again'], { cwd });
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(same.stdout).toMatch(/^no difference shown against good: 0\.\d+ → 0\.\d+ over 40 tasks/);
    expect(same.stdout).toMatch(/Different sample\n {2}seed: 10, now 11\n/);
    expect(same.stdout).not.toContain('warning');
    const worse = await tauflow(['compare', 'good', 'bad', '--fail-on-regression'], { cwd });
    expect(worse.code).toBe(1);
    expect(worse.stdout).toMatch(/^regression: worse than good: .*, p < 0\.001\)/);
    expect(worse.stdout).toMatch(/Different agent\n {2}agent_model\.model: oracle:0\.9, now oracle:0\.6\n/);
  });
});
