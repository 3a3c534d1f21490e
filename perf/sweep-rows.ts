/**
 * Rows of a measured sweep: its wall time against the ideal, its throughput, its CPU by process, its model calls.
 *
 * The ideal is that of a harness without any cost of its own that opens the episodes in the same order.
 */

import { idealWallMs, inOrderWallMs, sum } from './figures.ts';
import { callsOf, chainsOf, type MeasuredSweep, type SweepSpec } from './sweep.ts';
import { count, ms, perSecond, type Row } from './table.ts';

/** Budgets of the design as wall time over the ideal, by strategy, latency and concurrency. */
const WALL_BUDGETS: Readonly<Record<string, number>> = {
  'tool-calling 500 10': 50 / 47.5,
  'tool-calling 500 50': 15 / 12,
  'tool-calling 100 50': 13 / 2.4,
};
/** All processes together. @unit milliseconds */
const CPU_BUDGET_MS = 200;

export function sweepSection({ strategy, latencyMs, concurrency, taskIds, trials }: SweepSpec): string {
  const episodes = `${taskIds.length} tasks${trials === 1 ? '' : ` × ${trials}`}`;
  return `Sweep, ${strategy}, ${latencyMs} ms model, ${concurrency} at once (${episodes})`;
}

export function sweepRows(sweep: MeasuredSweep): Row[] {
  const { spec, wallMs, records, stats } = sweep;
  const section = sweepSection(spec);
  const chains = chainsOf(sweep);
  // No harness that opens its episodes in this order can be quicker, whatever it costs.
  const ideal = inOrderWallMs(chains, spec.concurrency);
  const bound = idealWallMs(chains, spec.concurrency);
  const budget = WALL_BUDGETS[`${spec.strategy} ${spec.latencyMs} ${spec.concurrency}`];
  const solved = records.filter(({ reward }) => reward === 1).length;
  return [
    {
      section,
      name: 'wall',
      measured: ms(wallMs),
      baseline: { ...ms(ideal), what: 'ideal' },
      ...(budget === undefined ? {} : { target: { atMost: budget, of: 'ratio' } as const }),
      note: `sum of latencies / ${spec.concurrency}, or the longest episode: ${(bound / 1000).toFixed(1)} s`,
    },
    {
      section,
      name: 'episodes per second',
      measured: perSecond((1000 * records.length) / wallMs),
      baseline: { ...perSecond((1000 * records.length) / ideal), what: 'ideal' },
    },
    ...cpuRows(section, sweep),
    {
      section,
      name: 'model calls answered',
      measured: count(stats.completions),
      baseline: { ...count(sum(records.map(callsOf))), what: 'calls in the records' },
      target: { atMost: 1, of: 'ratio' },
      note: `${stats.peakInFlight} in flight at most, ${stats.duplicates} made twice`,
    },
    {
      section,
      name: 'episodes with reward 1',
      measured: count(solved),
      baseline: { ...count(spec.taskIds.length * spec.trials), what: 'episodes' },
    },
  ];
}

function cpuRows(section: string, { server, worker, model, records }: MeasuredSweep): Row[] {
  const parts = { server: server.cpuMs, worker: worker.cpuMs, 'scripted model': model.cpuMs };
  const figures = Object.values(parts);
  const total = figures.some((part) => part === null) ? null : sum(figures.filter((part) => part !== null));
  if (total === null) {
    return [{ section, name: 'CPU per episode', measured: null, note: 'needs Linux, for /proc' }];
  }
  const whole = { ...ms(total / records.length), what: 'all three' };
  return [
    {
      section,
      name: 'CPU per episode',
      measured: ms(total / records.length),
      baseline: { ...ms(CPU_BUDGET_MS), what: 'budget' },
      target: { atMost: CPU_BUDGET_MS, of: 'measured' },
    },
    ...Object.entries(parts).map(([name, part]) => ({
      section,
      name: `  of it ${name}`,
      measured: ms((part ?? 0) / records.length),
      baseline: whole,
    })),
  ];
}
