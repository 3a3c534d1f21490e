/** Environments of OpenEnv: OPENENV_PYTHON names an interpreter that has `openenv-core`. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnvironmentServiceError, openService } from '../../../src/benchmarks/testing.ts';
import { eventually } from '../../helpers/eventually.ts';
import { findPython } from '../../helpers/python.ts';
import { tauflow } from '../../cli/in-process.ts';

const python = findPython('OPENENV_PYTHON', 'environments of OpenEnv');
const script = fileURLToPath(new URL('../../fixtures/openenv/environments.py', import.meta.url));
const ended: (() => Promise<void>)[] = [];

async function start(environment: 'counter' | 'echo'): Promise<string> {
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
    url = await start('counter');
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
    const echo = await open(undefined, await start('echo'));
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
