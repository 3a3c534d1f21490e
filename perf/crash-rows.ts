/** Cost of a `kill -9` of the worker in the middle of a sweep: only calls in flight may be made again. */

import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../src/temporal/server/index.ts';
import { sum } from './figures.ts';
import { callsOf, measureSweep, type SweepSpec } from './sweep.ts';
import { count, type Row } from './table.ts';

/** @param expectedCalls model calls of the same sweep, undisturbed */
export async function crashRows(spec: SweepSpec, expectedCalls: number): Promise<Row[]> {
  const section = `Worker killed at half the calls, ${spec.strategy}, ${spec.concurrency} at once`;
  const { stats, records } = await measureSweep(spec, {
    async disturb({ model, worker, startWorker }) {
      let now = await model.stats();
      while (now.completions < expectedCalls / 2) {
        await delay(5);
        now = await model.stats();
      }
      signal(worker.pid, 'SIGKILL');
      await worker.ended;
      await startWorker();
    },
  });
  const needed = sum(records.map(callsOf));
  // A call is paid when it is made, whether or not its answer arrives.
  const again = stats.requests - needed;
  const solved = records.filter(({ reward }) => reward === 1).length;
  return [
    {
      section,
      name: 'calls made again',
      measured: count(again),
      baseline: { ...count(spec.concurrency), what: 'open episodes' },
      target: { atMost: 1, of: 'ratio' },
    },
    {
      section,
      name: 'calls in the records',
      measured: count(needed),
      baseline: { ...count(expectedCalls), what: 'undisturbed' },
    },
    {
      section,
      name: 'episodes with reward 1',
      measured: count(solved),
      baseline: { ...count(spec.taskIds.length * spec.trials), what: 'episodes' },
    },
  ];
}
