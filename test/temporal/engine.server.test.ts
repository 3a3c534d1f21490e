import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { engineFlags, scheduleAsBatch } from '../../src/temporal/worker/threads.ts';
import { eventually } from '../helpers/eventually.ts';

/** Objects that live for a while, beside some that stay: the peak of the heap over what is alive. */
const CHURN = `
  import { getHeapStatistics } from 'node:v8';
  const make = (count) => Array.from({ length: count }, (_, i) => ({ number: i, list: [i, i + 1], text: 'x' + i }));
  const staying = make(300_000);
  const passing = [];
  const used = () => getHeapStatistics().used_heap_size;
  const turn = () => {
    passing.push(make(3_000));
    if (passing.length > 30) passing.shift();
  };
  for (let i = 0; i < 40; i++) turn();
  gc();
  const alive = used();
  let peak = 0;
  for (let i = 0; i < 600; i++) {
    turn();
    if (i > 200) peak = Math.max(peak, used());
    await new Promise(setImmediate);
  }
  console.log(peak / alive, staying.length);
`;

const SET_FLAGS = `
  import { setFlagsFromString } from 'node:v8';
  ${JSON.stringify(engineFlags(100))}.forEach((flag) => setFlagsFromString(flag));
`;

/** A thread has the name of the one that started it until it runs and takes its own. */
const GRPC_THREADS = `
  import { readFileSync, readdirSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { installRuntime } from './src/temporal/worker/index.ts';
  const threads = () => readdirSync('/proc/self/task');
  const nameOf = (thread) => readFileSync('/proc/self/task/' + thread + '/comm', 'utf8');
  const before = new Set(threads());
  installRuntime();
  const started = threads().filter((thread) => !before.has(thread));
  while (started.some((thread) => nameOf(thread) === nameOf(process.pid))) await setTimeout(5);
  const count = started.filter((thread) => nameOf(thread).startsWith('tokio')).length;
  console.log(JSON.stringify({ threads: count, setting: process.env.TOKIO_WORKER_THREADS ?? null }));
  process.exit();
`;

async function grpcThreads(setting: Record<string, string>): Promise<unknown> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', GRPC_THREADS];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...setting } });
  return JSON.parse(stdout);
}

async function churn(start: string) {
  const args = ['--expose-gc', '--input-type=module', '--eval', start + CHURN];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
  return { ratio: Number.parseFloat(stdout), stderr };
}

describe('The engine of a worker process', () => {
  it('collects garbage before the heap is several times what is alive, and accepts its flags', async () => {
    // 4.3 to 4.6, and 2.2 to 2.6 with the flags, on Node 20, 22 and 24.
    expect((await churn('')).ratio).toBeGreaterThan(3.4);
    const bounded = await churn(SET_FLAGS);
    expect(bounded.stderr).toBe('');
    expect(bounded.ratio).toBeLessThan(3.4);
  });

  it('collects garbage sooner where many episodes may be open, and gets no flag that it does not know', () => {
    const growth = (maxConcurrency: number) => Number(engineFlags(maxConcurrency, '11.3')[0]?.split('=')[1]);
    expect(growth(1_000)).toBeLessThan(growth(100));
    expect(engineFlags(100, '11.3.244.8-node.33')).toHaveLength(2);
    expect(engineFlags(100, '12.4.254.21-node.21')).toHaveLength(1);
  });

  it.runIf(existsSync('/usr/bin/chrt'))('has all its threads scheduled as a batch job', async () => {
    const SCHED_BATCH = '3';
    const policies = async () => {
      const threads = await readdir('/proc/self/task');
      const stats = await Promise.all(threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8')));
      // The 41st field; the name, which is the second, may have spaces and brackets in it.
      return new Set(stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]));
    };
    const failures: Error[] = [];
    scheduleAsBatch((error) => failures.push(error));
    await eventually(async () => expect(await policies()).toEqual(new Set([SCHED_BATCH])));
    expect(failures).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('says why it is not scheduled so where there is no such program', async () => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(new Promise((resolve) => scheduleAsBatch(resolve))).resolves.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.platform === 'linux')('has one thread for gRPC, or as many as the environment says', async () => {
    expect(await grpcThreads({})).toEqual({ threads: 1, setting: null });
    expect(await grpcThreads({ TOKIO_WORKER_THREADS: '3' })).toEqual({ threads: 3, setting: '3' });
  });
});
