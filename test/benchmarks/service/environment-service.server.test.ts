/** Environments that are services: the example in Python, tau2 by its adapter, and OpenEnv. */

import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  environment as makeEnvironment,
  scratchFolder,
  serverOfTests,
  tauflow,
  environment,
  run,
} from '../../cli/in-process.ts';
import { endAll, runApart, start, type Started } from '../../cli/processes.ts';
import { findPython, pythonEnvironment } from '../../helpers/python.ts';
import { EnvironmentServiceError, openService } from '../../../src/benchmarks/testing.ts';
import { eventually } from '../../helpers/eventually.ts';

/** `run --env-url`: a run on the example service, both of which are killed, and what commands say of it. */
describe('a run on the environment service of examples/', () => {
  const SHOP = fileURLToPath(new URL('../../../examples/python-environment/shop.py', import.meta.url));
  const SLOW = { timeout: 180_000 };
  const place = { cwd: scratchFolder(), env: makeEnvironment(serverOfTests()) };

  let port: number;
  let url: string;
  let service: Started;

  async function startService(): Promise<void> {
    service = start([String(port)], place, ['python3', SHOP]);
    await service.says(/listening/);
  }

  beforeAll(async () => {
    port = await getPort();
    url = `http://127.0.0.1:${port}`;
    await startService();
  });

  afterAll(endAll);

  const words = ['--run-id', 'killed', '--task-queue', 'environment'];

  it('waits for a service that is killed, and is resumed after its command was killed, too', SLOW, async () => {
    const scripted = ['--model', 'oracle', '--model-provider', 'scripted', '--scripted-latency', '200ms'];
    const run = start(
      ['run', '--env-url', url, ...scripted, '--num-trials', '4', '--max-concurrency', '4', ...words],
      place,
    );
    await run.says(/run started/);
    service.signal('SIGKILL');
    await run.says(/waiting for the environment since/);
    run.signal('SIGKILL');
    await startService();
    const resumed = await runApart(['resume', 'killed', '--task-queue', 'environment'], place);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toMatch(/average reward +1\.000 +16 of 16/);
    expect(resumed.stdout).toContain('pack shop:shop');
    const read = (...path: string[]): unknown =>
      JSON.parse(readFileSync(join(place.cwd, 'results', 'killed', ...path), 'utf8'));
    const environment = { name: 'shop', version: '1', rules: 'tau-bench', source: { kind: 'url', url } };
    expect(read('run.json')).toMatchObject({ config: { env: 'shop:shop', pack: { environment } } });
    expect(read('episodes', 'task-0.trial-0.json')).toMatchObject({
      reward: 1,
      diagnostics: { parts: [{ kind: 'data', checks: [{ is_met: true }] }, { kind: 'outputs' }] },
    });
  });

  it('is regraded and replayed by the service', SLOW, async () => {
    const regraded = await tauflow(['regrade', 'killed'], { cwd: place.cwd });
    expect(regraded.stdout).toMatch(/equal rewards +16/);
    const replayed = await tauflow(['replay', '--env-url', url, '--task-split', 'test', '--task-ids', '0'], {
      cwd: place.cwd,
    });
    expect(JSON.parse(replayed.stdout)).toMatchObject({
      task_id: 'cancel',
      steps: [
        { name: 'get_order', error: false },
        { name: 'cancel_order', db: expect.stringMatching(/^\w{64}$/) as unknown },
      ],
    });
  });

  it('is not resumed with other options, and names what a command line lacks', async () => {
    const other = await tauflow(['run', '--run-id', 'killed', '--env-options', '{"a": 1}'], { cwd: place.cwd });
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toMatch(/the run killed exists.*pack\.options\.a/);
    const unnamed = await tauflow(['run', '--env', 'shop:shop', '--dry-run'], { cwd: place.cwd });
    expect(unnamed.stderr).toBe(
      'error: the env shop:shop is a domain of the environment service shop; give its --env-url.',
    );
    const unknown = await tauflow(['run', '--env-url', url, '--env', 'hotel', '--dry-run'], { cwd: place.cwd });
    expect(unknown.stderr).toBe('error: the environment shop has no domain "hotel"; it has shop.');
    const away = await tauflow(['run', '--env-url', 'http://127.0.0.1:1', '--dry-run'], { cwd: place.cwd });
    expect(away.code).toBe(3);
  });
});

/** tau2's own package behind its adapter, where a Python has it. */
describe('tau2', () => {
  const adapter = fileURLToPath(new URL('../../../adapters/tau2/', import.meta.url));
  const checkout = fileURLToPath(new URL('../../../../shared/tau2-bench/', import.meta.url));
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

    it(
      'plays ground truths, and exports what tau2 reads, grades and takes as it was',
      { timeout: 300_000 },
      async () => {
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
      },
    );
  });
});

const python = findPython('OPENENV_PYTHON', 'environments of OpenEnv');
const script = fileURLToPath(new URL('../../fixtures/openenv/environments.py', import.meta.url));
const ended: (() => Promise<void>)[] = [];

async function startOpenEnv(environment: 'counter' | 'echo'): Promise<string> {
  const port = await getPort();
  const child = spawn(python ?? '', [script, environment, String(port)], { stdio: 'ignore' });
  ended.push(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => await openService({ kind: 'url', url }, { env: {} }));
  return url;
}

const PLACE = { domain: 'counter', options: {}, episode: 'e1', task: 'default' };
const add = (amount: number) => ({ requestor: 'assistant', name: 'add', arguments: `{"amount": ${amount}}` }) as const;
const GRADE = { messages: [], endedBy: 'transferred' };

describe.skipIf(python === null)('an environment of OpenEnv', () => {
  let url = '';
  beforeAll(async () => {
    url = await startOpenEnv('counter');
  }, 60_000);
  afterAll(async () => {
    for (const end of ended) await end();
  });

  const open = (replays?: true, at = url) => openService({ kind: 'url', url: at, replays }, { env: {} });
  const place = (episode: string, life?: string) => ({ ...PLACE, episode, life });

  it('has its tools, its task and its rewards', async () => {
    const service = await open();
    expect(service.description).toMatchObject({ name: 'counter', version: '2', rules: 'solo', replays: false });
    const { tools, policy, firstMessage, life } = await service.start(place('played'));
    expect(tools).toMatchObject([{ type: 'function', function: { name: 'add', description: 'Add to the number.' } }]);
    expect([policy, firstMessage]).toEqual(['Make the number 5.', 'Make the number 5.']);
    const first = { ...place('played', life), calls: [], call: add(2), idempotencyKey: 'k1' };
    expect(await service.call(first)).toMatchObject({ observation: 'The number is 2.', done: false, error: false });
    // A repeated request does not take effect twice.
    expect(await service.call(first)).toMatchObject({ observation: 'The number is 2.' });
    const second = { ...place('played', life), calls: [add(2)], call: add(3), idempotencyKey: 'k2' };
    expect(await service.call(second)).toMatchObject({ observation: 'The number is 5.', done: true });
    const grade = await service.grade({ ...place('played', life), calls: [add(2), add(3)], ...GRADE });
    expect(grade.reward).toBe(1);
    expect(grade.parts).toMatchObject([{ checks: [{ wanted: 'rewards of counter: 1', isMet: true }] }]);
  });

  it('answers wrong calls as errors', async () => {
    const service = await open();
    const { life } = await service.start(place('wrong'));
    const calls = [add(-1), { ...add(1), name: 'nope' }, { ...add(1), arguments: '[1]' }];
    const answers: string[] = [];
    for (const [at, call] of calls.entries()) {
      const made = { ...place('wrong', life), calls: calls.slice(0, at), call, idempotencyKey: `k${at}` };
      const { observation, error } = await service.call(made);
      expect(error).toBe(true);
      answers.push(observation);
    }
    expect(answers).toEqual([
      "Error: Error calling tool 'add': only up",
      "Error: Unknown tool: 'nope'",
      'Error: the arguments of add are no JSON object',
    ]);
  });

  it('loses an episode with its session, unless its calls can be made again', async () => {
    const before = await open();
    const { life } = await before.start(place('moved'));
    const next = { ...place('moved', life), calls: [add(2)], call: add(1), idempotencyKey: 'k2' };
    const fault: unknown = await (await open()).call(next).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(EnvironmentServiceError);
    expect(fault).toMatchObject({ fault: 'lost' });

    const again = await open(true);
    expect(again.description.replays).toBe(true);
    expect((await again.start(place('moved'))).life).toBeUndefined();
    expect((await (await open(true)).call({ ...next, life: undefined })).observation).toBe('The number is 3.');
    const graded = { ...place('moved'), calls: [add(2), add(3)], ...GRADE };
    expect((await (await open(true)).grade(graded)).reward).toBe(1);
  });

  it('has a task for each seed', async () => {
    const service = await open(true);
    const options = { seeds: [3, 4] };
    const { splits } = await service.tasks({ domain: 'counter', options, split: null });
    expect(splits).toEqual({ test: ['seed-3', 'seed-4'] });
    const call = { ...place('seeded'), options, task: 'seed-4', calls: [], call: add(1), idempotencyKey: 'k1' };
    expect((await service.call(call)).observation).toBe('The number is 5.');
  });

  it('without tools takes steps', async () => {
    const echo = await open(undefined, await startOpenEnv('echo'));
    const { tools, firstMessage, life } = await echo.start(place('said'));
    expect(firstMessage).toBe('Say hello.');
    expect(tools).toMatchObject([{ function: { name: 'step', parameters: { required: ['message'] } } }]);
    const call = { requestor: 'assistant', name: 'step', arguments: '{"message": "hello"}' } as const;
    const answer = await echo.call({ ...place('said', life), calls: [], call, idempotencyKey: 'k1' });
    expect(answer).toMatchObject({ observation: '{"prompt":"","echo":"hello"}', done: true, error: false });
    expect((await echo.grade({ ...place('said', life), calls: [call], ...GRADE })).reward).toBe(1);
  }, 60_000);

  it('passes the check', async () => {
    const { code, stdout } = await tauflow(['env', 'check', url]);
    expect(stdout).toContain('Nothing is wrong.');
    expect(code).toBe(0);
  });
});
