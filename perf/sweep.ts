/** One measured sweep: how long it took, what each process used for it, and what it left behind. */

import { performance } from 'node:perf_hooks';
import { SweepOrder } from '../src/benchmark/index.ts';
import { parseRunOptions } from '../src/cli/run/options.ts';
import { resolveRequest } from '../src/cli/run/request.ts';
import { RunLog, type EpisodeRecord } from '../src/results/log/index.ts';
import type { ScriptedStats } from '../src/scripted-model/index.ts';
import type { Pack } from '../src/packs/index.ts';
import { startSweep, type SweepHandle } from '../src/temporal/client/index.ts';
import { taskQueues } from '../src/wire/index.ts';
import { sum } from './figures.ts';
import { cpuMs, memoryOf, resetPeak } from './proc.ts';
import { openStage, type Stage } from './stage.ts';

export interface SweepSpec {
  readonly pack: Pack;
  readonly split: string;
  readonly strategy: string;
  readonly taskIds: readonly number[];
  readonly trials: number;
  readonly latencyMs: number;
  readonly concurrency: number;
  /** Flags for the worker's Node, such as `--cpu-prof`. */
  readonly workerNodeFlags?: readonly string[];
}

export interface ProcessUse {
  /** CPU time during the sweep. @unit milliseconds */
  readonly cpuMs: number | null;
  /** Resident memory before the sweep and at its peak. @unit bytes */
  readonly memory: { readonly idle: number; readonly peak: number } | null;
}

export interface MeasuredSweep {
  readonly spec: SweepSpec;
  readonly wallMs: number;
  readonly server: ProcessUse;
  readonly worker: ProcessUse;
  readonly model: ProcessUse;
  /** In the order in which the sweep opened them. */
  readonly records: readonly EpisodeRecord[];
  readonly stats: ScriptedStats;
  readonly serverVersion: string;
}

/** Looks at what a finished sweep has left on the server before it is taken down. */
export type Inspect = (stage: Stage, sweep: MeasuredSweep) => Promise<void>;

/** Meddles with a running sweep; the sweep is awaited after it. */
export type Disturb = (stage: Stage) => Promise<void>;

export async function measureSweep(
  spec: SweepSpec,
  hooks: { readonly disturb?: Disturb; readonly inspect?: Inspect } = {},
): Promise<MeasuredSweep> {
  const stage = await openStage({ ...spec, maxConcurrency: spec.concurrency });
  try {
    const pids = [stage.server.pid, stage.worker.pid, stage.model.child.pid] as const;
    const before = pids.map(look);
    const started = performance.now();
    const { handle, log, order } = await begin(spec, stage);
    await hooks.disturb?.(stage);
    await Promise.race([handle.result(), ...(hooks.disturb === undefined ? [lost(stage)] : [])]);
    const wallMs = performance.now() - started;
    const [server, worker, model] = pids.map((pid, at) => useOf(pid, before[at]));
    const records: EpisodeRecord[] = [];
    for (let at = 0; at < order.length; at++) {
      const record = await log.readEpisode(order.at(at));
      if (record !== null) records.push(record);
    }
    const measured: MeasuredSweep = {
      spec,
      wallMs,
      server: server ?? NOTHING,
      worker: worker ?? NOTHING,
      model: model ?? NOTHING,
      records,
      stats: await stage.model.stats(),
      serverVersion: stage.server.version,
    };
    await hooks.inspect?.(stage, measured);
    return measured;
  } finally {
    await stage.close();
  }
}

/** Model calls of an episode, from its record. */
export function callsOf({ usage }: EpisodeRecord): number {
  return sum(usage.map(({ calls }) => calls));
}

/** Per episode, the model latencies that come one after another. @unit milliseconds */
export function chainsOf({ records, spec }: MeasuredSweep): number[] {
  return records.map((record) => callsOf(record) * spec.latencyMs);
}

async function begin(spec: SweepSpec, stage: Stage): Promise<{ handle: SweepHandle; log: RunLog; order: SweepOrder }> {
  const options = parseRunOptions({
    env: spec.pack.domain,
    pack: spec.pack.ref.path,
    agentStrategy: spec.strategy,
    model: 'oracle',
    modelProvider: 'scripted',
    taskSplit: spec.split,
    taskIds: [...spec.taskIds],
    numTrials: spec.trials,
    maxConcurrency: spec.concurrency,
    logDir: stage.folder,
    runId: 'bench',
  });
  const request = await resolveRequest(options, { cwd: stage.folder, home: stage.folder, now: new Date() });
  const { run, config, plan, maxConcurrency, maxCostUsd } = request;
  const queues = taskQueues(options.taskQueue);
  const input = { run, config, plan, maxConcurrency, maxCostUsd, queues, indexed: true };
  const { handle } = await startSweep(stage.temporal.client, input);
  return { handle, log: new RunLog(run), order: new SweepOrder(plan, config.seed) };
}

/** A worker that dies would leave the benchmark waiting for ever. */
async function lost({ worker }: Stage): Promise<never> {
  await worker.ended;
  throw new Error(`the worker has ended in the middle of a sweep:\n${worker.tail()}`);
}

const NOTHING: ProcessUse = { cpuMs: null, memory: null };

interface Look {
  readonly cpu: number | null;
  readonly idle: number | null;
}

function look(pid: number): Look {
  resetPeak(pid);
  return { cpu: cpuMs(pid), idle: memoryOf(pid)?.now ?? null };
}

function useOf(pid: number, before: Look | undefined): ProcessUse {
  const [cpu, memory] = [cpuMs(pid), memoryOf(pid)];
  const { cpu: cpuBefore = null, idle = null } = before ?? {};
  return {
    cpuMs: cpu === null || cpuBefore === null ? null : cpu - cpuBefore,
    memory: memory === null || idle === null ? null : { idle, peak: memory.peak },
  };
}
