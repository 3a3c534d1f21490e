/** The performance benchmark's measurement of a worker's memory: it guards that measurement, not the program. */

import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { fitGrowth, MOST_GROWTH } from '../../perf/long-rows.ts';
import { endAll, lookAt, PROBE_FLAGS, start, type MemoryLook } from '../../perf/processes.ts';
import { signal } from '../../src/temporal/server/index.ts';

afterEach(endAll);

const worker = fileURLToPath(new URL('../fixtures/keeping-worker.cjs', import.meta.url));

/** @param keptBytes of each episode */
async function growthOfWorker(keptBytes: number): Promise<number | null> {
  const child = start(process.execPath, [...PROBE_FLAGS, worker, String(keptBytes)], { cwd: '.', env: process.env });
  await child.line(/^ready$/);
  const looks: MemoryLook[] = [];
  for (let at = 1; at <= 4; at++) {
    signal(child.pid, 'SIGHUP');
    await child.line(new RegExp(`^carried out ${at * 100}$`));
    looks.push({ recorded: at * 100, ...(await lookAt(child, at)) });
  }
  await child.end();
  return fitGrowth(looks);
}

describe('a worker', () => {
  it('that keeps 100 kB of each episode is beyond the bound', async () => {
    const growth = await growthOfWorker(100_000);
    expect(growth).toBeGreaterThan(90_000);
    expect(growth).toBeGreaterThan(MOST_GROWTH);
  });

  it('that keeps nothing is within it, whatever garbage it makes', async () => {
    expect(Math.abs((await growthOfWorker(0)) ?? NaN)).toBeLessThan(MOST_GROWTH / 4);
  });
});
