/** The figures of a long sweep: what must not grow with it, and what it costs by the episode. */

import { bytes, count, ms, perSecond, type Row } from '../table.ts';
import type { LongSweep } from './sweep.ts';

/** At so many events or bytes the server suggests to continue as new. */
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

/** How much larger the worker may be at the end than after its start-up: its caches are full by then. */
const MOST_GROWTH = 1.2;

/** Memory at a quarter, half, three quarters and the end: it must not grow with the episodes that have ended. */
function memoryRows({ sampler }: LongSweep): Omit<Row, 'section'>[] {
  const rows: Omit<Row, 'section'>[] = ['server', 'worker', 'command'].map((name) => {
    const parts = sampler.quarters(name).map((memory) => Math.round(memory / 1e6));
    return {
      name: `${name}, peak memory`,
      measured: bytes(sampler.peak(name)),
      note: `at each quarter of the episodes: ${parts.join(', ')} MB`,
    };
  });
  // The worker is started anew at half; a heap goes up and down between collections, so means are compared.
  const [early, late] = [sampler.mean('worker', 0.65, 0.75), sampler.mean('worker', 0.9, 1)];
  rows.push({
    name: 'worker, mean memory over the last tenth',
    measured: late === null ? null : bytes(late),
    ...(early === null ? {} : { baseline: { ...bytes(early), what: 'before 3/4' } }),
    target: { atMost: MOST_GROWTH, of: 'ratio' },
    ...(late === null ? { note: 'needs Linux, where /proc tells it' } : {}),
  });
  return rows;
}
