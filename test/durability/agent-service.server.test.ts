/** Runs whose agents are processes: agents, workers (with their gateways), adapters and the server are killed in the middle. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { printed } from '../cli/in-process.ts';
import { paidAgain } from './calls.ts';
import { AgentOfCommand } from './chaos/agent-of-command.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

const AGENT = fileURLToPath(new URL('../../examples/node-agent/agent.mjs', import.meta.url));
const AT_ONCE = 4;
const STUB = fileURLToPath(new URL('../../adapters/fastworkflow/tests/stub', import.meta.url));
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!python) console.warn('Tests of adapters/fastworkflow are skipped: there is no python3 of version 3.11 or newer.');

let place: Place;
let port: number;
let agent: ChildProcess | undefined;

beforeAll(async () => {
  [place, port] = [await Place.make(), await getPort()];
});

afterAll(async () => {
  agent?.kill('SIGKILL');
  await place.clear();
});

async function startAgent(): Promise<void> {
  agent = spawn('node', [AGENT, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (agent.stdout !== null) await once(agent.stdout, 'data');
}

async function killAgent(): Promise<void> {
  if (agent === undefined) return;
  agent.kill('SIGKILL');
  await once(agent, 'exit');
}

/** The agent knows nothing of the kills, and the run ends as an undisturbed one. */
describe('a run whose agent is a service', () => {
  it('survives the death of agent, worker and server, without a completed call paid twice', async ({ annotate }) => {
    await startAgent();
    const flags = ['--agent-url', `http://127.0.0.1:${port}`, '--end-index', '8', '--max-concurrency', String(AT_ONCE)];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    await printed(['run', '--run-id', 'calm', '--task-queue', 'calm', ...flags], place.surroundings(calm.url));
    const expected = { data: await readRunData(place.folder, 'calm'), calls: await calm.calls() };
    await calm.end();

    const model = await ScriptedProcess.start('killed', place.surroundings());
    const sixth = Math.floor(expected.calls.length / 6);
    const waiting = (run: Tauflow) => model.until(run, ({ held }) => held === AT_ONCE);
    const lastCalls = async () => (await model.calls()).slice(-AT_ONCE).map(({ digest }) => digest);

    await model.holdAfter(sixth);
    const first = Tauflow.start(['run', '--run-id', 'killed', ...flags], place.surroundings(model.url));
    const resume = await first.resumeCommand();
    await waiting(first);
    await killAgent();
    await model.holdAfter(2 * sixth);
    await startAgent();

    await waiting(first);
    const underWay = await lastCalls();
    await first.kill();
    await model.holdAfter(3 * sixth);
    const second = Tauflow.type(resume, place.surroundings(model.url));
    await model.until(second, ({ completions }) => completions > 2 * sixth + AT_ONCE);

    await waiting(second);
    underWay.push(...(await lastCalls()));
    await Promise.all([second.kill(), place.killServer(), killAgent()]);
    await startAgent();
    await model.holdAfter(null);
    const third = Tauflow.type(resume, place.surroundings(model.url));
    expect(await third.ended, third.printed).toMatchObject({ code: 0 });

    const data = await readRunData(place.folder, 'killed');
    const again = paidAgain(await model.calls(), expected.calls);
    await annotate(
      `${expected.calls.length} calls undisturbed; of ${underWay.length} under way, ${again.length} were made again`,
    );
    expect(data.results).toBe(expected.data.results);
    expect(underWay).toEqual(expect.arrayContaining(again));
    expect(data.calls).toBe(expected.calls.length);
    for (const [name, record] of Object.entries(expected.data.episodes)) {
      const { actions, steps, reward } = record as Record<string, unknown>;
      expect(data.episodes[name], name).toMatchObject({ actions, reward });
      expect((data.episodes[name] as { steps: unknown[] }).steps, name).toHaveLength((steps as unknown[]).length);
    }
    await model.end();
  });
});

function surroundings(model: ScriptedProcess): Surroundings {
  const { cwd, env } = place.surroundings(model.url);
  const stub = { PYTHONPATH: STUB, PYTHONDONTWRITEBYTECODE: '1', TAUFLOW_FASTWORKFLOW_WORKFLOW: 'workflow' };
  return { cwd, env: { ...env, ...stub, TAUFLOW_FASTWORKFLOW_PYTHON: 'python3' } };
}

/** Uses a stub of the package. The adapter is killed while a model call is under way, and the whole command after it. */
describe.skipIf(!python)('the adapter of fastworkflow-python', () => {
  beforeAll(() => {
    // Trained as far as the adapter looks.
    mkdirSync(join(place.folder, 'workflow', '_commands'), { recursive: true });
    mkdirSync(join(place.folder, 'workflow', '___command_info'));
    writeFileSync(join(place.folder, 'workflow', '___command_info', 'tinymodel.pth'), '');
  });

  it('is started again when it dies, and leaves with a command that is killed', async () => {
    const flags = ['--agent-strategy', 'fastworkflow-python', '--model', 'oracle', '--end-index', '1'];
    const calm = await ScriptedProcess.start('calm-python', place.surroundings());
    await printed(['run', '--run-id', 'calm-python', '--task-queue', 'calm', ...flags], surroundings(calm));
    const expected = await calm.calls();
    await calm.end();

    const model = await ScriptedProcess.start('killed-python', place.surroundings());
    await model.holdAfter(1);
    const run = Tauflow.start(['run', '--run-id', 'killed-python', ...flags], surroundings(model));
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
    const [before, after] = [
      await readRunData(place.folder, 'calm-python'),
      await readRunData(place.folder, 'killed-python'),
    ];
    expect(after.results).toBe(before.results);
    // The call that was under way when the command died, with its worker, is made again.
    expect((await model.calls()).length - expected.length).toBeLessThanOrEqual(1);
    await model.end();
  });
});
