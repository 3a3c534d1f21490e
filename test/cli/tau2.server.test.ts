/** tau2's own package behind its adapter, where a Python has it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { findPython, pythonEnvironment } from '../helpers/python.ts';
import { environment, run, scratchFolder, serverOfTests } from './in-process.ts';
import { endAll, start } from './processes.ts';

const adapter = fileURLToPath(new URL('../../adapters/tau2/', import.meta.url));
const checkout = fileURLToPath(new URL('../../../shared/tau2-bench/', import.meta.url));
const dataFolder = process.env['TAU2_DATA_DIR'] ?? join(checkout, 'data');
const python = findPython('TAUFLOW_TAU2_PYTHON', 'tests of adapters/tau2');
const hasData = existsSync(join(dataFolder, 'tau2', 'domains'));
if (!hasData) process.stderr.write(`tests of adapters/tau2 are skipped: no data of tau2 in ${dataFolder}\n`);

const cwd = scratchFolder();
const TAU2 = { TAU2_DATA_DIR: dataFolder, PYTHONPATH: adapter, PYTHONDONTWRITEBYTECODE: '1' };
const place = { cwd: adapter, env: { ...pythonEnvironment(), ...TAU2 } };
const env = { ...environment(serverOfTests()), ...TAU2, PYTHONPATH: '', TAUFLOW_TAU2_PYTHON: python ?? '' };
const BANKING = ['run', '--env', 'tau2:banking_knowledge', '--model', 'oracle', '--task-queue', 'tau2'];

/** Reads a submission's folder by tau2's own means, grades its trajectories again, and validates it. */
const READ = `
import io, json, sys
from loguru import logger
from rich.console import Console
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.metrics.agent_metrics import compute_metrics
from tau2.registry import registry
from tau2.runner.build import _derive_read_log_allowlist
from tau2.scripts.leaderboard import prepare_submission
from tau2.scripts.leaderboard.verify_trajectories_public import check_num_trials
logger.remove()
_, _, data = prepare_submission.check_and_load_submission_data(sys.argv[1])
[results] = data.results
metrics = compute_metrics(results)
tasks = {task.id: task for task in registry.get_tasks_loader("banking_knowledge")(None)}

def grade(simulation):
    task = tasks[simulation.task_id]
    kwargs = {"retrieval_variant": "bm25", "task": task, "read_log_allowlist": _derive_read_log_allowlist(task)}
    kind = EvaluationType.ENV if task.evaluation_criteria.nl_assertions else EvaluationType.ALL
    return evaluate_simulation(simulation, task, kind, False, "banking_knowledge", env_kwargs=kwargs).reward

printed = io.StringIO()
prepare_submission.validate_submission_metrics(data.submission, data.results, Console(file=printed, width=200))
print(json.dumps({
    "simulations": metrics.total_simulations,
    "reward": metrics.avg_reward,
    "pass": [metrics.pass_hat_ks[k] for k in sorted(metrics.pass_hat_ks)],
    "retrieval": data.submission.results.banking_knowledge.retrieval_config,
    "graded": [one.id for one in results.simulations if one.reward_info.reward != grade(one)],
    "trials": check_num_trials(results)[0],
    "tasks": [task.id for task in results.tasks if task != tasks[task.id]],
    "set": prepare_submission.validate_submission_traj_set(data.results)[0],
    "metrics": printed.getvalue().strip().lstrip("\\u2705 "),
}))
`;

afterAll(endAll);

describe.skipIf(python === null || !hasData)('adapters/tau2', () => {
  const interpreter = [python ?? ''] as const;

  it('passes its own tests', { timeout: 400_000 }, async () => {
    const words = ['-W', 'ignore', '-m', 'unittest', 'discover', '-s', join(adapter, 'tests')];
    const { code, stderr } = await start(words, place, interpreter).ended;
    expect(code, stderr).toBe(0);
  });

  it.skipIf(!existsSync(join(checkout, 'golden')))(
    'answers and grades as the recordings do',
    { timeout: 600_000 },
    async () => {
      const url = await new Promise<string>((resolve, reject) => {
        const service = start(['-m', 'tauflow_tau2', '--port', '0'], place, interpreter, (line) => {
          const found = /http:\S+/.exec(line);
          if (found !== null) resolve(found[0]);
        });
        service.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
      });
      const compare = join(adapter, 'tests', 'conformance.py');
      const words = [compare, url, join(checkout, 'golden'), 'banking_knowledge', '{"retrieval_variant": "bm25"}'];
      const { code, stdout, stderr } = await start(words, place, interpreter).ended;
      expect(stdout, stderr).toBe(
        'banking-tasks.jsonl: 955 compared, 0 differ\n' +
          'banking-fuzz.jsonl: 1278 compared, 0 differ\n' +
          'banking-results.json: 672 compared, 0 differ\n',
      );
      expect(code).toBe(0);
    },
  );

  it('says in one line what is missing', { timeout: 200_000 }, async () => {
    const without = await run(BANKING, { cwd, env: { ...env, TAUFLOW_TAU2_PYTHON: '' } });
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('name it in TAUFLOW_TAU2_PYTHON');
    const keyless = await run(BANKING, { cwd, env });
    expect(keyless).toMatchObject({ code: 2 });
    expect(keyless.stderr).toMatch(
      /banking_knowledge cannot run by default: .*; these retrieval_variants need nothing: .*bm25/,
    );
  });

  it('plays ground truths, and exports what tau2 reads, grades and takes as it was', { timeout: 300_000 }, async () => {
    const tasks = ['--task-ids', '0-3', 'task_102', '--num-trials', '4', '--judge-model', 'oracle'];
    const words = ['--env-options', '{"retrieval_variant": "bm25"}', '--max-concurrency', '8', ...tasks];
    const ended = await run([...BANKING, ...words, '--run-id', 'banking'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(0);
    const exported = await run(['export', 'banking', '--format', 'tau2'], { cwd, env });
    expect(exported.code, exported.stderr).toBe(0);
    const read = await start(['-W', 'ignore', '-c', READ, join(cwd, 'results', 'banking.tau2')], place, interpreter)
      .ended;
    expect(read.code, read.stderr).toBe(0);
    expect(JSON.parse(read.stdout)).toEqual({
      simulations: 20,
      reward: 1,
      pass: [1, 1, 1, 1],
      retrieval: 'bm25',
      graded: [],
      trials: true,
      tasks: [],
      set: true,
      metrics: 'Submission metrics validation successful!',
    });
  });
});
