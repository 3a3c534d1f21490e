/** The adapter of FastWorkflow: with a stub of the package, and with the package where an interpreter has it. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { environment, run, scratchFolder, serverOfTests } from './in-process.ts';
import { endAll, runApart, start } from './processes.ts';

const adapter = fileURLToPath(new URL('../../adapters/fastworkflow/', import.meta.url));
const cwd = scratchFolder();
const place = { cwd, env: environment(serverOfTests()) };
const QUEUE = ['--task-queue', 'fastworkflow-python'];
const pythonEnvironment = { ...process.env, PYTHONPATH: adapter, PYTHONDONTWRITEBYTECODE: '1' };

afterAll(endAll);

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!python) console.warn('Tests of adapters/fastworkflow are skipped: there is no python3 of version 3.11 or newer.');

describe.skipIf(!python)('adapters/fastworkflow', () => {
  it('passes its own tests', { timeout: 400_000 }, async () => {
    const tests = start(
      ['-m', 'unittest', 'discover', '-s', join(adapter, 'tests')],
      { cwd: adapter, env: pythonEnvironment },
      ['python3'],
    );
    const { code, stderr } = await tests.ended;
    expect(code, stderr).toBe(0);
  });
});

describe.skipIf(!python)('--agent-strategy fastworkflow-python', () => {
  const stub = join(adapter, 'tests', 'stub');
  const withStub = {
    ...place.env,
    TAUFLOW_FASTWORKFLOW_PYTHON: 'python3',
    PYTHONPATH: stub,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const words = ['run', '--agent-strategy', 'fastworkflow-python', '--model', 'oracle', '--task-ids', '1', ...QUEUE];

  it('starts the adapter with the run and stops it', { timeout: 200_000 }, async () => {
    // The stub has no retail example; the folder that the variable names is trained as far as the adapter looks.
    const folder = join(cwd, 'stub-workflow');
    mkdirSync(join(folder, '_commands'), { recursive: true });
    mkdirSync(join(folder, '___command_info'));
    writeFileSync(join(folder, '___command_info', 'tinymodel.pth'), '');
    const env = { ...withStub, TAUFLOW_FASTWORKFLOW_WORKFLOW: folder };
    const ended = await run([...words, '--run-id', 'started'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(0);
    const printed = readFileSync(join(cwd, 'results', 'started', 'agent.log'), 'utf8');
    const [, url = ''] = /^fastworkflow-python stub-workflow 9\.9\.9 .*\nlistening on (\S+)\n$/.exec(printed) ?? [];
    await expect(fetch(url)).rejects.toThrow();
    const { config } = JSON.parse(
      readFileSync(join(cwd, 'results', 'started', 'episodes', 'task-1.trial-0.json'), 'utf8'),
    ) as { config: { strategy: string; strategy_options: { agent_name: string } } };
    expect(config.strategy).toBe('agent-service');
    expect(config.strategy_options.agent_name).toMatch(/^fastworkflow-python stub-workflow 9\.9\.9 /);
  });

  it('says in one line what is missing', { timeout: 200_000 }, async () => {
    const without = await run(words, { cwd, env: { ...place.env, TAUFLOW_FASTWORKFLOW_PYTHON: '' } });
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('name it in TAUFLOW_FASTWORKFLOW_PYTHON');
    const lacking = await run(words, { cwd, env: { ...withStub, PYTHONPATH: '' } });
    expect(lacking).toMatchObject({ code: 2 });
    expect(lacking.stderr).toMatch(/python3?\S* has no fastworkflow; install it there/);
  });
});

const interpreter = process.env['TAUFLOW_FASTWORKFLOW_PYTHON'] ?? '';
if (interpreter === '') {
  console.warn(
    'Tests with FastWorkflow itself are skipped: TAUFLOW_FASTWORKFLOW_PYTHON names no interpreter that has it.',
  );
}

interface Recorded {
  readonly reward: number;
  readonly actions: unknown;
}

/** Six tasks each, three of them the same: an episode of one run must not be taken for that of the other. */
const RUNS = [
  ['1', '2', '3', '4', '5', '6'],
  ['4', '5', '6', '7', '8', '9'],
] as const;
const WORDS = ['run', '--model', 'oracle', '--max-concurrency', '6', ...QUEUE, '--agent-strategy'];
const ITSELF = { ...place.env, TAUFLOW_FASTWORKFLOW_PYTHON: interpreter, PYTHONDONTWRITEBYTECODE: '1' };

describe.skipIf(interpreter === '')('FastWorkflow itself', () => {
  async function play(runId: string, tasks: readonly string[], ...words: readonly string[]): Promise<Recorded[]> {
    const ended = await runApart([...WORDS, ...words, '--run-id', runId, '--task-ids', ...tasks], { cwd, env: ITSELF });
    expect(ended.code, ended.stderr).toBe(0);
    return tasks.map((task) => {
      const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
      const { reward, actions } = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
      return { reward, actions };
    });
  }

  it(
    'plays as the port does in two runs at once, with an adapter each and with one',
    { timeout: 900_000 },
    async () => {
      const url = await new Promise<string>((resolve, reject) => {
        const words = ['-m', 'tauflow_fastworkflow', 'retail', '--port', '0', '--without-intent-models'];
        const agent = start(words, { cwd, env: pythonEnvironment }, [interpreter], (line) => {
          const found = /http:\S+/.exec(line);
          if (found !== null) resolve(found[0]);
        });
        agent.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
      });
      const port = await Promise.all(RUNS.map((tasks, i) => play(`port-${i}`, tasks, 'fastworkflow')));
      expect(port.flat().map(({ reward }) => reward)).toEqual(Array(12).fill(1));
      const shared = RUNS.map((tasks, i) => play(`shared-${i}`, tasks, 'agent-service', '--agent-url', url));
      expect(await Promise.all(shared)).toEqual(port);
      const own = RUNS.map((tasks, i) => play(`own-${i}`, tasks, 'fastworkflow-python'));
      expect(await Promise.all(own)).toEqual(port);
    },
  );
});
