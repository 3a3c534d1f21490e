import { describe, expect, it } from 'vitest';
import { fitGrowth, memoryRows } from '../../perf/long-rows.ts';
import type { MemoryLook } from '../../perf/processes.ts';
import { Sampler } from '../../perf/long-sweep.ts';
import { isWithinTarget } from '../../perf/table.ts';

const look = (recorded: number, live: number): MemoryLook => ({ recorded, live, resident: 2 * live });

describe('growth', () => {
  it('is the slope over all looks', () => {
    expect(fitGrowth([look(100, 5_000), look(200, 6_000), look(300, 7_000)])).toBeCloseTo(10);
    expect(fitGrowth([look(100, 5_000), look(200, 5_600), look(300, 5_000)])).toBeCloseTo(0);
  });

  it('is not known from one look', () => {
    expect(fitGrowth([look(100, 5_000)])).toBeNull();
    expect(fitGrowth([look(100, 5_000), look(100, 6_000)])).toBeNull();
  });
});

/** The bounds that a sweep keeps whose worker's memory is so at each look. @param memory @unit bytes */
function boundsKept(memory: (recorded: number) => Omit<MemoryLook, 'recorded'>, episodes = 1_000): boolean[] {
  const sampler = new Sampler('none', () => undefined);
  sampler.stop();
  const looks = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((share) => ({
    recorded: share * episodes,
    ...memory(share * episodes),
  }));
  const rows = memoryRows({ sampler, looks, recorded: episodes });
  return rows.flatMap((row) => isWithinTarget({ section: '', ...row }) ?? []);
}

describe('a long sweep', () => {
  it('is within its bounds when memory goes up and down', () => {
    const memory = (recorded: number) => ({
      live: 110e6 + (recorded % 200 === 0 ? 5e6 : 0),
      resident: 400e6 + (recorded % 200 === 0 ? 0 : 30e6),
    });
    expect(boundsKept(memory)).toEqual([true, true]);
  });

  it('is beyond one when each episode leaves 100 kB behind in a heap', () => {
    const memory = (recorded: number) => ({ live: 110e6 + 1e5 * recorded, resident: 400e6 + 1e5 * recorded });
    expect(boundsKept(memory)).toEqual([false, true]);
  });

  it('is beyond one when native code keeps what adds up to more than a quarter', () => {
    expect(boundsKept((recorded) => ({ live: 110e6, resident: 300e6 + 3e5 * recorded }))).toEqual([true, false]);
  });

  it('of few episodes has no bound', () => {
    expect(boundsKept((recorded) => ({ live: 1e5 * recorded, resident: 1e5 * recorded }), 100)).toEqual([]);
  });
});
