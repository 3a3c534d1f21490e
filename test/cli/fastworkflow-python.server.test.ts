/** The adapter of FastWorkflow: with a stub of the package, and with the package where an interpreter has it. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, scratchFolder } from './in-process.ts';
import { endAll, run, start } from './processes.ts';

const adapter = fileURLToPath(new URL('../../adapters/fastworkflow/', import.meta.url));
const cwd = scratchFolder();
const place = { cwd, env: environment() };
const pythonEnvironment = { ...process.env, PYTHONPATH: adapter, PYTHONDONTWRITEBYTECODE: '1' };

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

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

const TASKS = ['1', '2', '3'];

describe.skipIf(interpreter === '')('FastWorkflow itself', () => {
  it('plays as the port does where the model writes exact commands', { timeout: 400_000 }, async () => {
    const url = await new Promise<string>((resolve, reject) => {
      const words = ['-m', 'tauflow_fastworkflow', 'retail', '--port', '0', '--without-intent-models'];
      const agent = start(words, { cwd, env: pythonEnvironment }, [interpreter], (line) => {
        const found = /http:\S+/.exec(line);
        if (found !== null) resolve(found[0]);
      });
      agent.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
    });
    const play = async (runId: string, ...words: readonly string[]): Promise<Recorded[]> => {
      const common = ['--model', 'oracle', '--task-ids', ...TASKS];
      const ended = await run(['run', '--run-id', runId, ...common, ...words], place);
      expect(ended.code, ended.stderr).toBe(0);
      return TASKS.map((task) => {
        const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
        const { reward, actions } = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
        return { reward, actions };
      });
    };
    const original = await play('original', '--agent-url', url);
    expect(original.map(({ reward }) => reward)).toEqual([1, 1, 1]);
    expect(original).toEqual(await play('port', '--agent-strategy', 'fastworkflow'));
  });
});
