import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import { engineFlags } from '../../src/temporal/worker/threads.ts';

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

  it('collects garbage sooner where many episodes may be open, and gets no flag that it does not know', () => {
    const growth = (maxConcurrency: number) => Number(engineFlags(maxConcurrency, '11.3')[0]?.split('=')[1]);
    expect(growth(1_000)).toBeLessThan(growth(100));
    expect(engineFlags(100, '11.3.244.8-node.33')).toHaveLength(2);
    expect(engineFlags(100, '12.4.254.21-node.21')).toHaveLength(1);
  });
});
