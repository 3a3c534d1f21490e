/** The figures of a long sweep: what must not grow with it, and what it costs by the episode. */

import { mean, bytes, count, ms, perSecond, sum, type Row } from './table.ts';
import type { LongSweep } from './long-sweep.ts';
import type { MemoryLook } from './processes.ts';

/** Events and bytes at which the server suggests to continue as new. */
const SUGGESTED = { events: 4_096, bytes: 4 * 2 ** 20 } as const;

export function longRows(sweep: LongSweep): Row[] {
  const { tasks, trials, concurrency, wallMs, histories, report } = sweep;
  const episodes = tasks * trials;
  const section = `One sweep of ${episodes} episodes (${tasks} tasks × ${trials}), ${concurrency} at once`;
  const [root, ...lanes] = histories;
  const continued = histories.reduce((sum, { runs }) => sum + runs - 1, 0);
  const most = (of: 'events' | 'bytes', among: typeof histories) => Math.max(0, ...among.map((one) => one[of]));
  const rows: Omit<Row, 'section'>[] = [
    {
      name: 'episodes recorded',
      measured: count(sweep.recorded),
      baseline: { ...count(episodes), what: 'episodes' },
    },
    { name: 'wall', measured: ms(wallMs), note: 'without the pause after the kill' },
    { name: 'episodes per second', measured: perSecond((1000 * episodes) / wallMs) },
    {
      name: 'model calls',
      measured: count(sweep.calls),
      note: `${sweep.duplicates} made twice, after one kill of worker and command`,
    },
    {
      name: "sweep's history, events",
      measured: count(root?.events ?? 0),
      baseline: { ...count(SUGGESTED.events), what: 'continue as new' },
      note: `${lanes.length} lanes, ${continued} times continued as new`,
    },
    {
      name: "sweep's history, bytes",
      measured: bytes(root?.bytes ?? 0),
      baseline: { ...bytes(SUGGESTED.bytes), what: 'continue as new' },
    },
    ...(lanes.length === 0
      ? []
      : [
          {
            name: "longest lane's history, events",
            measured: count(most('events', lanes)),
            baseline: { ...count(SUGGESTED.events), what: 'continue as new' },
          },
          {
            name: "largest lane's history, bytes",
            measured: bytes(most('bytes', lanes)),
            baseline: { ...bytes(SUGGESTED.bytes), what: 'continue as new' },
          },
        ]),
    ...memoryRows(sweep),
    { name: 'killed at', measured: count(sweep.killedAt), note: 'records; SIGKILL to worker and command' },
    { name: 'next record after new start', measured: ms(sweep.resumedAfterMs) },
    { name: 'longest findRecorded', measured: ms(sweep.findRecordedMs), note: 'of a lane; with its wait for a worker' },
    {
      name: 'closeRun',
      measured: ms(sweep.closeRunMs),
      baseline: { ...ms(sweep.closeRunMs / episodes), what: 'each' },
    },
    { name: 'run --run-id on the finished run', measured: ms(report.ms) },
    { name: '  its peak memory', measured: bytes(report.peakBytes) },
    {
      name: 'records',
      measured: bytes(sweep.recordBytes),
      baseline: { ...bytes(sweep.recordBytes / episodes), what: 'each' },
    },
    { name: 'results file', measured: bytes(sweep.resultsBytes) },
    {
      name: "server's database",
      measured: bytes(sweep.databaseBytes),
      baseline: { ...bytes(sweep.databaseBytes / episodes), what: 'each' },
    },
  ];
  return rows.map((row) => ({ section, ...row }));
}

/** Fewest episodes: in shorter sweeps the conversations that happen to be open decide. */
const LEAST_EPISODES = 500;
/** Maximum ratio of the samples' last third to the first: memory that native code frees stays in glibc's heaps. */
const MOST_RESIDENT = 1.25;

/** Memory at each tenth of the episodes, and whether the worker's grows with those that have ended. */
export function memoryRows({
  sampler,
  looks,
  recorded,
}: Pick<LongSweep, 'sampler' | 'looks' | 'recorded'>): Omit<Row, 'section'>[] {
  const rows: Omit<Row, 'section'>[] = ['server', 'worker', 'command'].map((name) => {
    const parts = sampler.tenths(name).map((memory) => Math.round(memory / 1e6));
    return {
      name: `${name}, peak memory`,
      measured: bytes(sampler.peak(name)),
      note: `at each tenth of the episodes: ${parts.join(', ')} MB`,
    };
  });
  const growth = fitGrowth(looks);
  if (growth === null) return rows;
  const isMeaningful = recorded >= LEAST_EPISODES;
  const third = Math.ceil(looks.length / 3);
  const compared = (of: 'live' | 'resident'): Omit<Row, 'section'> => ({
    name: `worker, ${of} memory after a collection`,
    measured: bytes(mean(looks.slice(-third).map((look) => look[of]))),
    baseline: { ...bytes(mean(looks.slice(0, third).map((look) => look[of]))), what: 'earlier' },
    note: `from ${looks[0]?.recorded} episodes on: ${looks.map((look) => Math.round(look[of] / 1e6)).join(', ')} MB`,
  });
  return [
    ...rows,
    compared('live'),
    {
      name: '  growth by the episode',
      measured: bytes(growth),
      ...(isMeaningful
        ? { target: { atMost: MOST_GROWTH, of: 'measured' } as const }
        : { note: `not meaningful below ${LEAST_EPISODES} episodes` }),
    },
    {
      ...compared('resident'),
      ...(isMeaningful ? { target: { atMost: MOST_RESIDENT, of: 'ratio' } as const } : {}),
    },
  ];
}

/**
 * Memory that a worker may keep of an episode that has ended. It keeps about 3 kB until the episode's lane ends; open
 * conversations make the slope over 500 episodes uncertain by some 10 kB. @unit bytes
 */
export const MOST_GROWTH = 40_000;

/** Slope of the least-squares line through the live memory of all looks; null for fewer than two. @unit bytes an episode */
export function fitGrowth(looks: readonly MemoryLook[]): number | null {
  const at = mean(looks.map(({ recorded }) => recorded));
  const size = mean(looks.map(({ live }) => live));
  const spread = sum(looks.map(({ recorded }) => (recorded - at) ** 2));
  if (looks.length < 2 || spread === 0) return null;
  return sum(looks.map(({ recorded, live }) => (recorded - at) * (live - size))) / spread;
}
