/** Memory of worker and server while many episodes are open: against what they take without any. */

import { measureSweep, type MeasuredSweep, type ProcessUse, type SweepSpec } from './sweep.ts';
import { bytes, count, ms, type Row } from './table.ts';

/** Long enough that the machine can serve all open episodes, which take turns on its cores. @unit milliseconds */
function latencyFor(open: number): number {
  return Math.max(2000, open * 20);
}

export function memorySpec(spec: Omit<SweepSpec, 'latencyMs' | 'concurrency' | 'trials'>, open: number): SweepSpec {
  const trials = Math.ceil(open / spec.taskIds.length);
  return { ...spec, trials, latencyMs: latencyFor(open), concurrency: open };
}

const BUDGETS: Readonly<Record<number, number>> = { 100: 700e6, 1000: 1.2e9 };

export async function memoryRows(spec: SweepSpec): Promise<Row[]> {
  return rowsOf(await measureSweep(spec));
}

function rowsOf({ spec, server, worker, stats, wallMs }: MeasuredSweep): Row[] {
  const open = spec.concurrency;
  const section = `Memory, ${open} episodes open (${spec.latencyMs / 1000} s model)`;
  const inFlight: Row = {
    section,
    name: 'model calls in flight at once',
    measured: count(stats.peakInFlight),
    baseline: { ...count(open), what: 'open episodes' },
  };
  if (server.memory === null || worker.memory === null) {
    return [inFlight, { section, name: 'peak memory', measured: null, note: 'needs Linux, for /proc' }];
  }
  const peak = server.memory.peak + worker.memory.peak;
  const idle = server.memory.idle + worker.memory.idle;
  const budget = BUDGETS[open];
  const rowOf = (name: string, use: NonNullable<ProcessUse['memory']>): Row => ({
    section,
    name: `${name}, peak`,
    measured: bytes(use.peak),
    baseline: { ...bytes(use.idle), what: 'idle' },
  });
  return [
    inFlight,
    rowOf('worker', worker.memory),
    rowOf('server', server.memory),
    {
      section,
      name: 'both, peak',
      measured: bytes(peak),
      baseline: { ...bytes(idle), what: 'idle' },
      ...(budget === undefined ? {} : { target: { atMost: budget, of: 'measured' } as const }),
    },
    { section, name: 'both, per open episode', measured: bytes((peak - idle) / open) },
    { section, name: 'wall', measured: ms(wallMs) },
  ];
}
