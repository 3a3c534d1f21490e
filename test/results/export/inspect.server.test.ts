/** Exports as the programs that they are for read them. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LOOPBACK } from '../../../src/io/index.ts';
import type { RunLog } from '../../../src/run-log/index.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { subjectOfRun } from '../../../src/results/report/index.ts';
import { leaderboardFigures } from '../../../src/results/export/index.ts';
import { createSubmission } from '../../../src/benchmarks/tau3/testing.ts';
import { scratchFolder, tauflow } from '../../cli/in-process.ts';
import { makeRun } from '../../cli/reported-runs.ts';
import { eventually } from '../../helpers/eventually.ts';
import { findPython, pythonEnvironment } from '../../helpers/python.ts';
import { manifest } from '../compare/runs.ts';
import { record, row } from '../fixtures.ts';

const python = findPython('INSPECT_PYTHON', 'tests with Inspect') ?? '';

/** Each way in which Inspect reads a folder of logs and their files, as JSON. */
const READ = `
import json, sys
from inspect_ai.analysis import evals_df, samples_df
from inspect_ai.log import list_eval_logs, read_eval_log
folder = sys.argv[1]
[found] = list_eval_logs(folder)
head = read_eval_log(found, header_only=True)
log = read_eval_log(found)
evals = evals_df(folder, quiet=True)
samples = samples_df(folder, quiet=True)
whole = samples_df(folder, quiet=True, full=True)
print(json.dumps({
    "listed": [found.task, found.task_id == head.eval.task_id],
    "head": [head.status, head.eval.task, head.plan.steps[0].solver, head.samples],
    "mean": log.results.scores[0].metrics["mean"].value,
    "samples": [[s.id, s.epoch, s.scores["reward"].value if s.scores else None, bool(s.error)] for s in log.samples],
    "evals": [[row.run_id, row.status, row.total_samples, row.score_reward_mean] for row in evals.itertuples()],
    "frame": [[int(row.id), row.epoch, row.message_count] for row in samples.itertuples()],
    "columns": len(whole) == len(samples),
}))
`;

describe.skipIf(python === '')('an exported run', { timeout: 240_000 }, () => {
  const inspect = (cwd: string, ...words: readonly string[]) =>
    execFileSync(python, ['-m', 'inspect_ai', ...words], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  async function exported(change: (log: RunLog) => Promise<void> = () => Promise.resolve()) {
    const cwd = scratchFolder();
    await change(await makeRun(cwd, 'mine_1', 1));
    const { code, stderr } = await tauflow(['export', 'mine_1', '--format', 'inspect'], { cwd });
    const [, file = ''] = /^wrote (results\/\d{4}-\d\d-\d\dT.*_tau-bench-retail_mine-1_.*\.json)$/.exec(stderr) ?? [];
    expect(code, stderr).toBe(0);
    return { cwd, file };
  }

  it('is listed and read by Inspect in each of its ways', async () => {
    const { cwd, file } = await exported();
    expect(inspect(cwd, 'log', 'list', '--log-dir', 'results').trim()).toBe(file);
    const head = JSON.parse(inspect(cwd, 'log', 'dump', '--header-only', file)) as object;
    expect(head).toMatchObject({ status: 'success', eval: { run_id: 'mine_1' } });
    const read = JSON.parse(execFileSync(python, ['-c', READ, 'results'], { cwd, encoding: 'utf8' })) as object;
    expect(read).toEqual({
      listed: ['tau-bench-retail', true],
      head: ['success', 'tau_bench_retail', 'tool-calling', null],
      mean: 0.25,
      samples: [
        [0, 1, 1, false],
        [0, 2, 0, false],
        [7, 1, 0, false],
        [7, 2, 0, false],
      ],
      evals: [['mine_1', 'success', 4, 0.25]],
      frame: [
        [0, 1, 6],
        [0, 2, 6],
        [7, 1, 6],
        [7, 2, 6],
      ],
      columns: true,
    });
  });

  it('is read while it runs, with an episode that infrastructure ended', async () => {
    const { cwd } = await exported(async (log) => {
      const manifest = await log.readRun();
      if (manifest !== null) await log.writeRun({ ...manifest, status: 'running', endedAt: null });
      const outcome = { kind: 'infrastructure_error', error: 'X', message: 'no answer' } as const;
      await log.writeEpisode(record(7, 1, { outcome, reward: 0, grade: null }));
    });
    const read = JSON.parse(execFileSync(python, ['-c', READ, 'results'], { cwd, encoding: 'utf8' })) as object;
    expect(read).toMatchObject({ head: ['started', 'tau_bench_retail', 'tool-calling', null], columns: true });
    expect(read).toHaveProperty('samples.3', [7, 2, null, true]);
  });

  it('is in the list of the view', async () => {
    const { cwd, file } = await exported();
    const port = await getPort({ host: LOOPBACK });
    const words = ['-m', 'inspect_ai', 'view', 'start', '--log-dir', 'results', '--port', String(port)];
    const view = spawn(python, words, { cwd, stdio: 'ignore' });
    onTestFinished(async () => {
      view.kill('SIGKILL');
      await once(view, 'close');
    });
    const ask = async (path: string) => {
      const response = await fetch(`http://${LOOPBACK}:${port}/api/${path}`, {
        headers: { 'X-Requested-With': 'test' },
      });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const listed = await eventually(() => ask('logs'));
    expect(listed).toMatchObject({ status: 200, body: { files: [{ name: expect.stringContaining(file) as string }] } });
    const uri = encodeURIComponent(join(cwd, file));
    expect(await ask(`logs/${uri}?header-only=0`)).toMatchObject({ status: 200, body: { eval: { run_id: 'mine_1' } } });
    expect(await ask(`log-headers?file=${uri}`)).toMatchObject({ status: 200, body: [{ status: 'success' }] });
  });
});

/** An exported run in the eyes of τ³-bench's own package, where a Python has it. */
describe('tau2', () => {
  const READ = `
import json, sys
from pathlib import Path
from tau2.data_model.simulation import Results
from tau2.metrics.agent_metrics import compute_metrics
results = Results.load(Path(sys.argv[1]))
metrics = compute_metrics(results)
print(json.dumps({
    "domain": results.info.environment_info.domain_name,
    "simulations": metrics.total_simulations,
    "reward": metrics.avg_reward,
    "pass": [metrics.pass_hat_ks[k] for k in sorted(metrics.pass_hat_ks)],
    "roles": [m.role for m in results.simulations[0].messages],
}))
`;

  const SUBMISSION = `
import sys
from tau2.scripts.leaderboard.submission import Submission
print(Submission.load(sys.argv[1]).results.retail.pass_1)
`;

  const python = findPython('TAU2_PYTHON', 'tests with τ³-bench (tau2-bench 1.x)') ?? '';
  const run = (script: string, file: string) =>
    execFileSync(python, ['-c', script, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: pythonEnvironment(),
    });

  describe.skipIf(python === '')('τ³-bench', { timeout: 240_000 }, () => {
    it('reads an exported run, and computes the same pass^k', async () => {
      const cwd = scratchFolder();
      await makeRun(cwd, 'mine', 3);
      const { code, stderr } = await tauflow(['export', 'mine', '--format', 'tau2'], { cwd });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          'wrote results/mine.tau2/results.json\n' +
          'submission.json is not written: the run mine is of tau-bench, and the leaderboard takes runs of τ³-bench.',
      });
      const file = join(cwd, 'results/mine.tau2/results.json');
      expect(JSON.parse(run(READ, file))).toEqual({
        domain: 'tau_bench_v1_retail',
        simulations: 4,
        reward: 0.75,
        pass: [0.75, 0.5],
        roles: ['user', 'assistant', 'tool', 'assistant', 'user'],
      });
      const { stdout } = await tauflow(['report', file, '--format', 'json'], { cwd });
      const report = JSON.parse(stdout) as { metrics: { infrastructure_errors_left_out: { pass_hat_k: object[] } } };
      expect(report.metrics.infrastructure_errors_left_out.pass_hat_k).toMatchObject([{ value: 0.75 }, { value: 0.5 }]);
      expect(readFileSync(file, 'utf8')).not.toContain('"role": "system"');
    });

    it('reads a submission', () => {
      const known = manifest('run-1', { env: 'tau3-retail' }, { plan: { taskIds: [3], numTrials: 4, shuffle: false } });
      const rows = [1, 1, 1, 0].map((reward, trial) => row(3, trial, reward));
      const report = buildReport(subjectOfRun(known), rows);
      const facts = { pack: undefined, isJudgeMissing: false, trajectories: 4, resultsFile: 'results.json' };
      const made = createSubmission([{ run: known, figures: leaderboardFigures(report), ...facts }]);
      const file = join(scratchFolder(), 'submission.json');
      writeFileSync(file, JSON.stringify(made));
      expect(run(SUBMISSION, file).trim()).toBe('75.0');
    });
  });
});
