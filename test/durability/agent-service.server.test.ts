/**
 * A run with an agent that is a service, whose agent, worker (with its gateway) and server are killed with SIGKILL while
 * every open episode waits for a model call: the agent knows nothing of it, and the run ends as an undisturbed one.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { printed } from '../cli/in-process.ts';
import { paidAgain } from './calls.ts';
import { Place } from './place.ts';
import { Tauflow } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';

vi.setConfig({ testTimeout: 300_000 });

const AGENT = fileURLToPath(new URL('../../examples/node-agent/agent.mjs', import.meta.url));
const AT_ONCE = 4;

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

describe('a run whose agent is a service', () => {
  it('survives the death of agent, worker and server, without a completed call paid twice', async ({ annotate }) => {
    await startAgent();
    const flags = ['--agent-url', `http://127.0.0.1:${port}`, '--end-index', '8', '--max-concurrency', String(AT_ONCE)];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    await printed(['run', '--run-id', 'calm', ...flags], place.surroundings(calm.url));
    const expected = { data: await readRunData(place.folder, 'calm'), calls: await calm.calls() };
    await calm.end();

    const model = await ScriptedProcess.start('killed', place.surroundings());
    const quarter = Math.floor(expected.calls.length / 4);
    const waiting = (run: Tauflow) => model.until(run, ({ held }) => held === AT_ONCE);
    const lastCalls = async () => (await model.calls()).slice(-AT_ONCE).map(({ digest }) => digest);

    await model.holdAfter(quarter);
    const first = Tauflow.start(['run', '--run-id', 'killed', ...flags], place.surroundings(model.url));
    const resume = await first.resumeCommand();
    await waiting(first);
    await killAgent();
    await model.holdAfter(2 * quarter);
    await startAgent();

    await waiting(first);
    const underWay = await lastCalls();
    await first.kill();
    await model.holdAfter(3 * quarter);
    const second = Tauflow.type(resume, place.surroundings(model.url));
    await model.until(second, ({ completions }) => completions > 2 * quarter + AT_ONCE);

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
