/** tau2's own package behind its adapter, where a Python has it. */

import { existsSync, readFileSync } from 'node:fs';
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

  it('plays ground truths, and ends with the run', { timeout: 200_000 }, async () => {
    const words = ['--env-options', '{"retrieval_variant": "bm25"}', '--task-ids', '0-5', '--max-concurrency', '6'];
    const ended = await run([...BANKING, ...words, '--run-id', 'banking'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(0);
    for (const task of [0, 1, 2, 3, 4, 5]) {
      const path = join(cwd, 'results', 'banking', 'episodes', `task-${task}.trial-0.json`);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ reward: 1 });
    }
  });
});
