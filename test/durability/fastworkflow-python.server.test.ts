/**
 * `--agent-strategy fastworkflow-python` with a stub of the package: the adapter is killed while a model call is under
 * way, and the whole command after it.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { printed } from '../cli/in-process.ts';
import { AgentOfCommand } from './chaos/agent-of-command.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const STUB = fileURLToPath(new URL('../../adapters/fastworkflow/tests/stub', import.meta.url));
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!python) console.warn('Tests of adapters/fastworkflow are skipped: there is no python3 of version 3.11 or newer.');

let place: Place;

beforeAll(async () => {
  place = await Place.make();
  // Trained as far as the adapter looks.
  mkdirSync(join(place.folder, 'workflow', '_commands'), { recursive: true });
  mkdirSync(join(place.folder, 'workflow', '___command_info'));
  writeFileSync(join(place.folder, 'workflow', '___command_info', 'tinymodel.pth'), '');
});

afterAll(async () => {
  await place.clear();
});

function surroundings(model: ScriptedProcess): Surroundings {
  const { cwd, env } = place.surroundings(model.url);
  const stub = { PYTHONPATH: STUB, PYTHONDONTWRITEBYTECODE: '1', TAUFLOW_FASTWORKFLOW_WORKFLOW: 'workflow' };
  return { cwd, env: { ...env, ...stub, TAUFLOW_FASTWORKFLOW_PYTHON: 'python3' } };
}

describe.skipIf(!python)('the adapter of fastworkflow-python', () => {
  it('is started again when it dies, and leaves with a command that is killed', async () => {
    const flags = ['--agent-strategy', 'fastworkflow-python', '--model', 'oracle', '--end-index', '1'];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    await printed(['run', '--run-id', 'calm', ...flags], surroundings(calm));
    const expected = await calm.calls();
    await calm.end();

    const model = await ScriptedProcess.start('killed', place.surroundings());
    await model.holdAfter(1);
    const run = Tauflow.start(['run', '--run-id', 'killed', ...flags], surroundings(model));
    const resume = await run.resumeCommand();
    const adapter = new AgentOfCommand(run);
    await model.until(run, ({ held }) => held === 1);
    expect(adapter.kill(1, '')).toBe(1);
    await run.says(/the adapter of fastworkflow-python has ended with SIGKILL; it is started again/);
    await model.holdAfter(2);
    await model.until(run, ({ completions, held }) => completions === 3 && held === 1);
    const [pid = 0] = adapter.pids;
    await run.kill();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 30_000, interval: 50 });

    await model.holdAfter(null);
    const resumed = Tauflow.type(resume, surroundings(model));
    expect(await resumed.ended, resumed.printed).toMatchObject({ code: 0 });
    const [before, after] = [await readRunData(place.folder, 'calm'), await readRunData(place.folder, 'killed')];
    expect(after.results).toBe(before.results);
    // The call that was under way when the command died, with its worker, is made again.
    expect((await model.calls()).length - expected.length).toBeLessThanOrEqual(1);
    await model.end();
  });
});
