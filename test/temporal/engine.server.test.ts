import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import { engineFlags } from '../../src/temporal/worker/engine-flags.ts';

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

  it('collects garbage sooner where many episodes may be open', () => {
    const growth = (maxConcurrency: number) => Number(engineFlags(maxConcurrency)[0]?.split('=')[1]);
    expect(growth(1_000)).toBeLessThan(growth(100));
  });

  it('gives the threads that it starts little space for young objects', async () => {
    const thread = `
      import { getHeapSpaceStatistics } from 'node:v8';
      const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
      const kept = [];
      let most = 0;
      for (let i = 0; i < 400; i++) {
        kept.push(Array.from({ length: 5000 }, (_, number) => ({ number })));
        if (kept.length > 20) kept.shift();
        most = Math.max(most, young());
      }
      console.log(most);
    `;
    const start = `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(thread)}, { eval: true });`;
    const args = ['--input-type=module', '--eval', SET_FLAGS + start];
    const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});
