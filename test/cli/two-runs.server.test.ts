/** Runs that share a folder, its server and the name of their task queue, and nothing else. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, scratchFolder } from './in-process.ts';
import { endAll, run, start, type Place } from './processes.ts';

const cwd = scratchFolder();
const place: Place = { cwd, env: environment() };

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

describe('two scripted runs of different domains in one folder', { timeout: 900_000 }, () => {
  it('both end, and so does a judge beside a run', async () => {
    const flags = '--model oracle:0.5 --task-ids 0 1 2 --max-concurrency 3 --scripted-latency 100ms';
    const [retail, airline] = await Promise.all([
      run(['run', '--env', 'retail', '--run-id', 'shop', ...flags.split(' ')], place),
      run(['run', '--env', 'airline', '--run-id', 'air', ...flags.split(' ')], place),
    ]);
    expect(retail.code, retail.stderr).toBe(0);
    expect(airline.code, airline.stderr).toBe(0);
    const [judge, other] = await Promise.all([
      run(['errors', 'shop'], place),
      run(['run', '--env', 'airline', '--run-id', 'air-2', ...flags.split(' ')], place),
    ]);
    expect(judge.code, judge.stderr).toBe(0);
    expect(other.code, other.stderr).toBe(0);
  });

  it('a worker with other packs, or roots, says what a run waits for', async () => {
    const roots = join(cwd, 'elsewhere');
    mkdirSync(roots);
    const worker = start(['worker', '--env', 'airline', '--log-dir', roots], place);
    await worker.says(/run logs in .*elsewhere only/);
    await worker.says(/calls {4}.*scripted at airline-[0-9a-f]{6}/);
    const waiting = await run(['run', '--env', 'retail', '--task-ids', '0', '--run-id', 'later', '--detach'], place);
    expect(waiting.code, waiting.stderr).toBe(0);
    await worker.says(/work on .*later is left to other workers: this worker writes only in .*elsewhere \(--log-dir\)/);
    const status = await run(['status', 'later'], place);
    expect(status.stdout).toMatch(/no worker makes calls of scripted \(endpoint retail-[0-9a-f]{6}\)/);
    worker.signal('SIGTERM');
    await worker.ended;
    const done = await run(['run', '--run-id', 'later'], place);
    expect(done.code, done.stderr).toBe(0);
  });
});
