/**
 * Rows of short sweeps: their wall and CPU time, their memory, a worker that is killed, and the run log that they
 * write.
 */

import { idealWallMs, inOrderWallMs, sum, count, ms, perSecond, bytes, type Row, type Target } from './table.ts';
import {
  countCalls,
  listChains,
  measureSweep,
  makeFolder,
  type MeasuredSweep,
  type SweepSpec,
  type ProcessUse,
} from './sweep.ts';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../src/temporal/server/index.ts';
import { performance } from 'node:perf_hooks';
import { stat } from 'node:fs/promises';
import { RunLog } from '../src/run-log/index.ts';
import { ResultsAssembler, assembleResultsFile } from '../src/results/files/index.ts';

/** Goals for the wall time of all tasks once, by strategy, latency and concurrency; perf/NOTES.md has them as well. */
const WALL_GOALS: Readonly<Record<string, Target>> = {
  'tool-calling 500 10': { atMost: 1.05, of: 'ratio' },
  'tool-calling 500 50': { atMost: 1.3, of: 'ratio' },
  'tool-calling 100 50': { atMost: 11_000, of: 'measured' },
};
/** Goal for sweeps of several trials, whose start counts little. @unit episodes a second */
const STEADY_GOAL = 9;
/** CPU time of server and worker. @unit milliseconds an episode */
const CPU_GOAL_MS = 220;

export function sweepSection({ strategy, latencyMs, concurrency, taskIds, trials }: SweepSpec): string {
  const episodes = `${taskIds.length} tasks${trials === 1 ? '' : ` × ${trials}`}`;
  return `Sweep, ${strategy}, ${latencyMs} ms model, ${concurrency} at once (${episodes})`;
}

export function sweepRows(sweep: MeasuredSweep): Row[] {
  const { spec, wallMs, records, stats } = sweep;
  const section = sweepSection(spec);
  const chains = listChains(sweep);
  // No harness that opens its episodes in this order can be quicker, whatever it costs.
  const ideal = inOrderWallMs(chains, spec.concurrency);
  const bound = idealWallMs(chains, spec.concurrency);
  const goal: Target | undefined =
    spec.trials > 1
      ? { atMost: (1000 * records.length) / STEADY_GOAL, of: 'measured' }
      : WALL_GOALS[`${spec.strategy} ${spec.latencyMs} ${spec.concurrency}`];
  const solved = records.filter(({ reward }) => reward === 1).length;
  return [
    {
      section,
      name: 'wall',
      measured: ms(wallMs),
      baseline: { ...ms(ideal), what: 'ideal' },
      ...(goal === undefined ? {} : { target: goal }),
      note: `sum of latencies / ${spec.concurrency}, or the longest episode: ${(bound / 1000).toFixed(1)} s`,
    },
    {
      section,
      name: 'episodes per second',
      measured: perSecond((1000 * records.length) / wallMs),
      baseline: { ...perSecond((1000 * records.length) / ideal), what: 'ideal' },
    },
    ...cpuRows(section, sweep),
    ...peakRows(section, sweep),
    {
      section,
      name: 'model calls answered',
      measured: count(stats.completions),
      baseline: { ...count(sum(records.map(countCalls))), what: 'calls in the records' },
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
  const [ours, modelMs] = [{ server: server.cpuMs, worker: worker.cpuMs }, model.cpuMs];
  if (ours.server === null || ours.worker === null || modelMs === null) {
    return [{ section, name: 'CPU per episode', measured: null, note: 'needs Linux, for /proc' }];
  }
  const perEpisode = (cpu: number) => ms(cpu / records.length);
  const both = perEpisode(ours.server + ours.worker);
  return [
    {
      section,
      name: 'CPU per episode, server and worker',
      measured: both,
      target: { atMost: CPU_GOAL_MS, of: 'measured' },
    },
    ...Object.entries(ours).map(([name, cpu]) => ({
      section,
      name: `  of it ${name}`,
      measured: perEpisode(cpu ?? 0),
      baseline: { ...both, what: 'both' },
    })),
    { section, name: 'CPU per episode, scripted model', measured: perEpisode(modelMs) },
  ];
}

function peakRows(section: string, { server, worker }: MeasuredSweep): Row[] {
  if (server.memory === null || worker.memory === null) return [];
  const idle = server.memory.idle + worker.memory.idle;
  const measured = bytes(server.memory.peak + worker.memory.peak);
  return [{ section, name: 'peak memory', measured, baseline: { ...bytes(idle), what: 'idle' } }];
}

/** Ratio to one worker's CPU time per episode that counts as flat. */
const FLAT = 1.1;

/** @param one the same sweep with one worker */
export function workersRows(one: MeasuredSweep, several: MeasuredSweep): Row[] {
  const section = `Several workers: ${sweepSection(several.spec)}`;
  const { workers = 1 } = several.spec;
  const cpuPerEpisode = ({ server, worker, records }: MeasuredSweep) =>
    server.cpuMs === null || worker.cpuMs === null ? null : ms((server.cpuMs + worker.cpuMs) / records.length);
  const [before, after] = [cpuPerEpisode(one), cpuPerEpisode(several)];
  const cores = `on ${availableParallelism()} cores, with the server and the scripted model`;
  const name = `CPU per episode, ${workers} workers`;
  return [
    before === null || after === null
      ? { section, name, measured: null, note: 'needs Linux, for /proc' }
      : {
          section,
          name,
          measured: after,
          baseline: { ...before, what: '1 worker' },
          target: { atMost: FLAT, of: 'ratio' },
          note: cores,
        },
    {
      section,
      name: `wall, ${workers} workers`,
      measured: ms(several.wallMs),
      baseline: { ...ms(one.wallMs), what: '1 worker' },
    },
  ];
}

/** Long enough that the machine can serve all open episodes, which take turns on its cores. @unit milliseconds */
function latencyFor(open: number): number {
  return Math.max(2000, open * 20);
}

export function memorySpec(spec: Omit<SweepSpec, 'latencyMs' | 'concurrency' | 'trials'>, open: number): SweepSpec {
  const trials = Math.ceil(open / spec.taskIds.length);
  return { ...spec, trials, latencyMs: latencyFor(open), concurrency: open };
}

const BUDGETS: Readonly<Record<number, number>> = { 100: 600e6, 1000: 1.2e9 };

export async function memoryRows(spec: SweepSpec): Promise<Row[]> {
  return toMemoryRows(await measureSweep(spec));
}

function toMemoryRows({ spec, server, worker, stats, wallMs }: MeasuredSweep): Row[] {
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
  const toMemoryRow = (name: string, use: NonNullable<ProcessUse['memory']>): Row => ({
    section,
    name: `${name}, peak`,
    measured: bytes(use.peak),
    baseline: { ...bytes(use.idle), what: 'idle' },
  });
  return [
    inFlight,
    toMemoryRow('worker', worker.memory),
    toMemoryRow('server', server.memory),
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
  const needed = sum(records.map(countCalls));
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

/** Bytes that a run log writes for many results: each record once, the results file whenever it has doubled. */
const RESULTS = 460;

/** Writes the sweep's records as further trials, as a run would, until there are {@link RESULTS}. */
export async function runLogRows({ records }: MeasuredSweep): Promise<Row[]> {
  const section = `Run log, ${RESULTS} results`;
  const { folder, remove } = await makeFolder();
  try {
    const log = new RunLog({ logDir: folder, runId: 'bench' });
    const assembler = new ResultsAssembler(log);
    let recordBytes = 0;
    let rewritingAlways = 0;
    let written = 0;
    const started = performance.now();
    for (let at = 0; at < RESULTS; at++) {
      const record = records[at % records.length];
      if (record === undefined) return [];
      const file = await log.writeEpisode({ ...record, trial: Math.floor(at / records.length) });
      recordBytes += (await stat(file)).size;
      written += (await assembler.maybeRewrite(at + 1))?.bytes ?? 0;
      rewritingAlways += (await stat(log.paths.results)).size;
    }
    const final = await assembleResultsFile(log);
    const took = performance.now() - started;
    return [
      {
        section,
        name: 'bytes written, results file',
        measured: bytes(written + final.bytes),
        baseline: { ...bytes(final.bytes), what: 'its final length' },
        target: { atMost: 3, of: 'ratio' },
        note: `each version whole and valid; rewritten after each result: over ${Math.round(rewritingAlways / 1e6)} MB`,
      },
      {
        section,
        name: 'bytes written, records',
        measured: bytes(recordBytes),
        baseline: { ...bytes(final.bytes), what: 'results file' },
      },
      { section, name: 'time per result', measured: ms(took / RESULTS) },
    ];
  } finally {
    await remove();
  }
}
