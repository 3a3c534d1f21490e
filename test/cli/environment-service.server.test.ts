/** `run --env-url`: a run on the example service, both of which are killed, and what commands say of it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment as makeEnvironment, scratchFolder, serverOfTests, tauflow } from './in-process.ts';
import { endAll, runApart, start, type Started } from './processes.ts';

const SHOP = fileURLToPath(new URL('../../examples/python-environment/shop.py', import.meta.url));
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

describe('a run on an environment service', () => {
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
