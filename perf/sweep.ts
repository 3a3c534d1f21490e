/** One measured sweep: how long it took, what each process used for it, and what it left behind. */

import { performance } from 'node:perf_hooks';
import { SweepOrder } from '../src/benchmarks/index.ts';
import type { RawRunOptions } from '../src/run-setup/options/index.ts';
import { parseRunOptions, resolveRequest } from '../src/run-setup/index.ts';
import { RunLog, type EpisodeRecord } from '../src/run-log/index.ts';
import type { ScriptedStats } from '../src/scripted-model/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import {
  startSweep,
  connect,
  ensureSearchAttributes,
  type SweepHandle,
  type TemporalConnection,
} from '../src/temporal/client/index.ts';
import { taskQueues } from '../src/evaluation/index.ts';
import { sum } from './table.ts';
import { cpuMs, listTree, readMemory, readSharedMemory, resetPeak, onEnd, start, type Child } from './processes.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';
import { stopServer } from '../src/temporal/server/index.ts';

export interface SweepSpec {
  readonly pack: Pack;
  readonly split: string;
  readonly strategy: string;
  readonly taskIds: readonly number[];
  readonly trials: number;
  readonly latencyMs: number;
  readonly concurrency: number;
  /** The scripted agent's model. @default 'oracle' */
  readonly model?: string;
  /** The agent, where it is a service. */
  readonly agentUrl?: string;
  /** Worker processes. @default 1 */
  readonly workers?: number;
  /** Process of the pack's environment service; what it and those below it use counts as the workers'. */
  readonly environmentPid?: number;
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
  /** Memory of all workers together, whose peaks may come at different times. */
  readonly worker: ProcessUse;
  readonly model: ProcessUse;
  /** Episodes in the order in which the sweep opened them. */
  readonly records: readonly EpisodeRecord[];
  readonly stats: ScriptedStats;
  readonly serverVersion: string;
}

/** Looks at what a finished sweep has left on the server before it is taken down. */
type Inspect = (stage: Stage, sweep: MeasuredSweep) => Promise<void>;

/** Meddles with a running sweep; the sweep is awaited after it. */
type Disturb = (stage: Stage) => Promise<void>;

export async function measureSweep(
  spec: SweepSpec,
  hooks: { readonly disturb?: Disturb; readonly inspect?: Inspect } = {},
): Promise<MeasuredSweep> {
  const stage = await openStage({ ...spec, maxConcurrency: spec.concurrency });
  try {
    for (let more = 1; more < (spec.workers ?? 1); more++) await stage.startWorker();
    const pids = [stage.server.pid, stage.model.child.pid, ...stage.workers.map(({ pid }) => pid)];
    const before = pids.map(look);
    const measureEnvironment = watchEnvironment(spec.environmentPid);
    const started = performance.now();
    const { handle, log, order } = await begin(spec, stage);
    await hooks.disturb?.(stage);
    await Promise.race([handle.result(), ...(hooks.disturb === undefined ? [lost(stage)] : [])]);
    const wallMs = performance.now() - started;
    const [server = NOTHING, model = NOTHING, ...workers] = pids.map((pid, at) => measureUse(pid, before[at]));
    const environment = measureEnvironment();
    const records: EpisodeRecord[] = [];
    for (let at = 0; at < order.length; at++) {
      const record = await log.readEpisode(order.at(at));
      if (record !== null) records.push(record);
    }
    const measured: MeasuredSweep = {
      spec,
      wallMs,
      server,
      worker: [...workers, ...environment].reduce(addUses),
      model,
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
export function countCalls({ usage }: EpisodeRecord): number {
  return sum(usage.map(({ calls }) => calls));
}

/** Model latencies per episode that come one after another. @unit milliseconds */
export function listChains({ records, spec }: MeasuredSweep): number[] {
  return records.map((record) => countCalls(record) * spec.latencyMs);
}

async function begin(spec: SweepSpec, stage: Stage): Promise<{ handle: SweepHandle; log: RunLog; order: SweepOrder }> {
  const options = parseRunOptions({
    env: spec.pack.domain,
    ...packOptions(spec.pack),
    agentStrategy: spec.strategy,
    ...(spec.agentUrl === undefined ? {} : { agentUrl: spec.agentUrl }),
    model: spec.model ?? 'oracle',
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

function packOptions({ ref: { path, environment } }: Pack): RawRunOptions {
  return environment === undefined ? { pack: path } : { envUrl: path, envOptions: environment.options };
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
  return { cpu: cpuMs(pid), idle: readMemory(pid)?.now ?? null };
}

function measureUse(pid: number, before: Look | undefined): ProcessUse {
  const [cpu, memory] = [cpuMs(pid), readMemory(pid)];
  const { cpu: cpuBefore = null, idle = null } = before ?? {};
  return {
    cpuMs: cpu === null || cpuBefore === null ? null : cpu - cpuBefore,
    memory: memory === null || idle === null ? null : { idle, peak: memory.peak },
  };
}

/** @returns measures what it has used since; its workers are forked meanwhile, and keep their episodes to the end */
function watchEnvironment(pid: number | undefined): () => ProcessUse[] {
  if (pid === undefined) return () => [];
  const lookAtTree = () => {
    const pids = listTree(pid);
    return { cpu: sum(pids.map((each) => cpuMs(each) ?? 0)), memory: readSharedMemory(pids) };
  };
  const before = lookAtTree();
  return () => {
    const { cpu, memory } = lookAtTree();
    return [{ cpuMs: cpu - before.cpu, memory: { idle: before.memory, peak: memory } }];
  };
}

function addUses(a: ProcessUse, b: ProcessUse): ProcessUse {
  const memory =
    a.memory === null || b.memory === null
      ? null
      : { idle: a.memory.idle + b.memory.idle, peak: a.memory.peak + b.memory.peak };
  return { cpuMs: a.cpuMs === null || b.cpuMs === null ? null : a.cpuMs + b.cpuMs, memory };
}

/**
 * Surroundings of a sweep, made anew for each row so that rows do not warm each other up: a Temporal server in a folder
 * of its own, a worker, and the scripted model, each a process whose CPU and memory can be read.
 */
interface StageOptions {
  readonly pack: Pack;
  readonly latencyMs: number;
  /** Model calls at once. */
  readonly maxConcurrency: number;
  /** Flags for the worker's Node, such as `--cpu-prof`. */
  readonly workerNodeFlags?: readonly string[];
}

interface ScriptedServer {
  readonly child: Child;
  /** `http://127.0.0.1:8123/v1` */
  readonly url: string;
  stats(): Promise<ScriptedStats>;
}

export interface Stage {
  /** Absolute path of a temporary folder; the run log goes here. */
  readonly folder: string;
  /** Environment of the processes that work in it, without the server's address: it is found by the folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly temporal: TemporalConnection;
  readonly server: { readonly pid: number; readonly version: string };
  readonly model: ScriptedServer;
  /** The first of its workers. */
  readonly worker: Child;
  /** All that were started, those that have ended as well. */
  readonly workers: readonly Child[];
  /** Another worker: beside the others, or where one has been killed. */
  readonly startWorker: () => Promise<Child>;
  close(): Promise<void>;
}

/** The program as it is built. */
export const program = fileURLToPath(new URL('../dist/program/tauflow.js', import.meta.url));

/** Temporal's and the model's configuration are the benchmark's own. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_(?!CLI_PATH)|TAUFLOW_SCRIPTED_)/.test(name));
  return { ...Object.fromEntries(kept), TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
}

export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-bench-'));
  return { folder, remove: onEnd(() => rm(folder, { recursive: true, force: true })) };
}

export async function openStage(options: StageOptions): Promise<Stage> {
  requireBuild();
  const { folder, remove } = await makeFolder();
  const env = cleanEnvironment();
  const home = process.env['TAUFLOW_HOME'] ?? envPaths('tauflow', { suffix: '' }).cache;
  const stopTemporal = onEnd(async () => void (await stopServer(folder)));
  const temporal = await connect({ workDir: folder, home, env });
  const disconnect = onEnd(() => temporal.close());
  await ensureSearchAttributes(temporal.connection, temporal.namespace);
  if (temporal.server === null) throw new Error('the benchmark measures a server of its own, and got another');
  const model = await startScriptedModel(folder, options);
  const workers: Child[] = [];
  const startWorker = async () => {
    const worker = start(
      process.execPath,
      [
        ...(options.workerNodeFlags ?? []),
        ...[program, 'worker', '--max-concurrent-activities', String(options.maxConcurrency), '--log-dir', folder],
      ],
      { cwd: folder, env: { ...env, TEMPORAL_ADDRESS: temporal.address, TAUFLOW_SCRIPTED_URL: model.url } },
    );
    workers.push(worker);
    await worker.line(/^worker on /);
    return worker;
  };
  return {
    folder,
    env,
    temporal,
    server: { pid: temporal.server.pid, version: temporal.server.serverVersion },
    model,
    worker: await startWorker(),
    workers,
    startWorker,
    async close() {
      for (const worker of workers) await worker.end();
      await model.child.end();
      await disconnect();
      await stopTemporal();
      await remove();
    },
  };
}

/** The scripted model on a free port, as a process of its own. @param logFile takes a line for each completion */
export async function startScriptedModel(
  folder: string,
  { pack, latencyMs, logFile }: Pick<StageOptions, 'pack' | 'latencyMs'> & { readonly logFile?: string },
): Promise<ScriptedServer> {
  requireBuild();
  const log = logFile === undefined ? [] : ['--log', logFile];
  const { path, environment } = pack.ref;
  const place =
    environment === undefined
      ? ['--pack', path]
      : ['--env-url', path, '--env-options', JSON.stringify(environment.options)];
  const tasks = ['--env', pack.domain, ...place];
  const child = start(
    process.execPath,
    [program, 'scripted-model', '--port', '0', ...tasks, '--latency', `${latencyMs}ms`, ...log],
    { cwd: folder, env: cleanEnvironment() },
  );
  const [, url = ''] = await child.line(/scripted model at (\S+)/);
  return {
    child,
    url,
    stats: async () => (await (await fetch(`${url.replace(/\/v1$/, '')}/stats`)).json()) as ScriptedStats,
  };
}

function requireBuild(): void {
  if (!existsSync(program)) throw new Error(`${program} is missing; run: npm run build`);
}
