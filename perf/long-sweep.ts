/**
 * A sweep of thousands of episodes, as a person runs it: a generated pack, a worker process, and a command that follows
 * it. At a tenth of the episodes worker and command are killed, and the run is resumed: the second worker runs enough of
 * them to show whether its memory grows.
 */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { resolvePack } from '../src/benchmarks/packs/index.ts';
import { signal } from '../src/temporal/server/index.ts';
import { sweepWorkflowId, laneWorkflowId } from '../src/evaluation/index.ts';
import { start, readMemory, type Child } from './processes.ts';
import { makeFolder, openStage, program, type Stage } from './sweep.ts';
import { lookAt, PROBE_FLAGS, type MemoryLook } from './processes.ts';
import { readdirSync } from 'node:fs';
import type { Client } from '@temporalio/client';

const RUN_ID = 'long';
/** Episodes above which a sweep has lanes, as in the workflow. */
const LANE_SIZE = 500;
const TRIALS = 10;
/** Shares of the episodes: where worker and command are killed, and between which the second worker's memory is looked at. */
const KILLED_AT = 0.1;
const LOOKS = { from: 0.3, to: 0.95, count: 14 } as const;

interface LongOptions {
  readonly episodes: number;
  readonly concurrency: number;
}

export interface LongSweep extends LongOptions {
  readonly tasks: number;
  readonly trials: number;
  readonly sampler: Sampler;
  /** Duration without the time from the kill to the first record after it. */
  readonly wallMs: number;
  /** Records at the kill, and how long it took from the new command's start to the next record. */
  readonly killedAt: number;
  readonly resumedAfterMs: number;
  /** The second worker's memory, once its caches are full. */
  readonly looks: readonly MemoryLook[];
  readonly histories: readonly SweepHistory[];
  /** Durations of publishing the results, and of the longest lookup of recorded episodes. */
  readonly closeRunMs: number;
  readonly findRecordedMs: number;
  readonly recordBytes: number;
  readonly resultsBytes: number;
  readonly databaseBytes: number;
  /** `run --run-id` on the finished run. */
  readonly report: { readonly ms: number; readonly peakBytes: number };
  readonly recorded: number;
  readonly calls: number;
  readonly duplicates: number;
}

export async function measureLong(options: LongOptions, say: (line: string) => void): Promise<LongSweep> {
  const tasks = Math.ceil(options.episodes / TRIALS);
  const { folder: packs, remove } = await makeFolder();
  const pack = join(packs, 'pack');
  say(`making a pack of ${tasks} tasks`);
  const maker = start(
    process.execPath,
    [program, 'data', 'generate', '--out', pack, '--tasks', String(tasks), '--difficulty', 'easy'],
    { cwd: packs, env: process.env },
  );
  if ((await maker.ended) !== 0) throw new Error(`the pack cannot be made:\n${maker.tail()}`);
  const stage = await openStage({
    pack: await resolvePack('retail', pack),
    latencyMs: 0,
    maxConcurrency: options.concurrency,
    workerNodeFlags: PROBE_FLAGS,
  });
  try {
    return await measureOn(stage, { ...options, tasks, trials: TRIALS }, pack, say);
  } finally {
    await stage.close();
    await remove();
  }
}

async function measureOn(
  stage: Stage,
  options: LongOptions & Pick<LongSweep, 'tasks' | 'trials'>,
  pack: string,
  say: (line: string) => void,
): Promise<LongSweep> {
  const { tasks, trials, concurrency } = options;
  const total = tasks * trials;
  const folder = join(stage.folder, 'results', RUN_ID);
  const sampler = new Sampler(join(folder, 'episodes'), say);
  const follow = (flags: readonly string[]): Child =>
    start(process.execPath, [program, 'run', '--run-id', RUN_ID, '--no-worker', ...flags], {
      cwd: stage.folder,
      env: { ...stage.env, TAUFLOW_SCRIPTED_URL: stage.model.url },
    });
  try {
    const startedAt = performance.now();
    const first = follow([
      ...['--model', 'oracle:0.9', '--model-provider', 'scripted', '--pack', pack],
      ...['--num-trials', String(trials), '--max-concurrency', String(concurrency), '--yes'],
    ]);
    Object.assign(sampler.pids, { server: stage.server.pid, worker: stage.worker.pid, command: first.pid });
    await reach(sampler, total * KILLED_AT, first);
    for (const { pid } of [stage.worker, first]) signal(pid, 'SIGKILL');
    await Promise.all([stage.worker.ended, first.ended]);
    const killedAt = sampler.recorded;
    say(`killed worker and command at ${killedAt} records`);
    const resumedAt = performance.now();
    const worker = await stage.startWorker();
    const second = follow([]);
    Object.assign(sampler.pids, { worker: worker.pid, command: second.pid });
    await reach(sampler, killedAt + 1, second);
    const resumedAfterMs = performance.now() - resumedAt;
    say(`the next record came ${Math.round(resumedAfterMs)} ms after the new processes were started`);
    const looks = await lookAround(sampler, total, worker, second, say);
    const code = await second.ended;
    if (code !== 0) throw new Error(`the sweep has ended with ${code}:\n${second.tail()}`);
    const wallMs = performance.now() - startedAt - resumedAfterMs;
    sampler.look();
    sampler.stop();

    const { client } = stage.temporal;
    const lanes = total > LANE_SIZE ? Math.ceil(total / LANE_SIZE) : 0;
    const histories = await sweepHistories(client, RUN_ID, lanes);
    const times = await Promise.all(histories.map((one) => activityTimes(client, one.workflowId, 'findRecorded')));
    const [closeRunMs = 0] = await activityTimes(client, sweepWorkflowId(RUN_ID), 'closeRun');
    const { completions, duplicates } = await stage.model.stats();
    return {
      ...options,
      sampler,
      wallMs,
      killedAt,
      resumedAfterMs,
      looks,
      histories,
      closeRunMs,
      findRecordedMs: Math.max(0, ...times.flat()),
      recordBytes: await bytesIn(join(folder, 'episodes')),
      resultsBytes: (await stat(`${folder}.json`)).size,
      databaseBytes: await bytesIn(join(stage.folder, '.tauflow')),
      report: await measureReport(follow),
      recorded: sampler.recorded,
      calls: completions,
      duplicates,
    };
  } finally {
    sampler.stop();
  }
}

/** Waits for so many records. @throws Error when the process ends before */
async function reach(sampler: Sampler, records: number, child: Child): Promise<void> {
  let isOver = false;
  void child.ended.then(() => (isOver = true));
  while (sampler.recorded < records) {
    if (isOver) throw new Error(`the command has ended early:\n${child.tail()}`);
    await delay(200);
  }
}

/** Looks at the worker's memory at equal distances. */
async function lookAround(
  sampler: Sampler,
  total: number,
  worker: Child,
  command: Child,
  say: (line: string) => void,
): Promise<MemoryLook[]> {
  const looks: MemoryLook[] = [];
  const step = (LOOKS.to - LOOKS.from) / (LOOKS.count - 1);
  for (let at = 0; at < LOOKS.count; at++) {
    await reach(sampler, (LOOKS.from + at * step) * total, command);
    const look = { recorded: sampler.recorded, ...(await lookAt(worker, at + 1)) };
    const [live, resident] = [look.live, look.resident].map((memory) => Math.round(memory / 1e6));
    say(`${look.recorded} episodes recorded; worker after a collection: ${live} MB live, ${resident} MB resident`);
    looks.push(look);
  }
  return looks;
}

async function measureReport(follow: (flags: readonly string[]) => Child): Promise<LongSweep['report']> {
  const startedAt = performance.now();
  const report = follow(['--json']);
  let peakBytes = 0;
  const looking = setInterval(() => {
    const peak = readMemory(report.pid)?.peak ?? 0;
    // A process that has just ended has none.
    if (peak > peakBytes) peakBytes = peak;
  }, 50);
  const code = await report.ended;
  clearInterval(looking);
  if (code !== 0) throw new Error(`the finished run cannot be reported:\n${report.tail()}`);
  return { ms: performance.now() - startedAt, peakBytes };
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}

/** Memory of processes during a sweep, sampled every few seconds. */
interface Sample {
  /** Time since the start. @unit milliseconds */
  readonly atMs: number;
  /** Records in the run log. */
  readonly recorded: number;
  /** Resident memory by process; absent while it does not run. @unit bytes */
  readonly memory: Readonly<Record<string, number>>;
}

const EVERY_MS = 5_000;

export class Sampler {
  readonly samples: Sample[] = [];
  /** The processes that are looked at now, by name. */
  readonly pids: Record<string, number> = {};
  readonly #episodes: string;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #say: (line: string) => void;

  /** @param episodes the folder with the records */
  constructor(episodes: string, say: (line: string) => void) {
    this.#episodes = episodes;
    this.#say = say;
    this.#timer = setInterval(() => this.look(), EVERY_MS);
  }

  get recorded(): number {
    try {
      return readdirSync(this.#episodes).filter((name) => name.endsWith('.json')).length;
    } catch {
      // Not made yet.
      return 0;
    }
  }

  look(): void {
    const memory: Record<string, number> = {};
    for (const [name, pid] of Object.entries(this.pids)) {
      const now = readMemory(pid)?.now;
      if (now !== undefined && Number.isFinite(now)) memory[name] = now;
    }
    const sample = { atMs: performance.now() - this.#startedAt, recorded: this.recorded, memory };
    this.samples.push(sample);
    if (this.samples.length % 6 === 1) this.#say(describe(sample));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A process's memory at each tenth of the episodes. @unit bytes */
  tenths(name: string): number[] {
    const total = this.samples.at(-1)?.recorded ?? 0;
    return Array.from({ length: 10 }, (_, tenth) => {
      const wanted = (total * (tenth + 1)) / 10;
      return this.samples.find(({ recorded, memory }) => recorded >= wanted && memory[name] !== undefined);
    }).flatMap((sample) => sample?.memory[name] ?? []);
  }

  peak(name: string): number {
    return this.samples.reduce((most, { memory }) => Math.max(most, memory[name] ?? 0), 0);
  }
}

function describe({ recorded, memory }: Sample): string {
  const sizes = Object.entries(memory).map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)} MB`);
  return `${recorded} episodes recorded; ${sizes.join(', ')}`;
}

/** The histories of a sweep and its lanes: none of them may grow with the sweep. */
interface SweepHistory {
  readonly workflowId: string;
  /** 1, unless it continued as new. */
  readonly runs: number;
  /** Events of its longest run. */
  readonly events: number;
  readonly bytes: number;
}

/** The sweep first, then its lanes. */
async function sweepHistories(client: Client, runId: string, lanes: number): Promise<SweepHistory[]> {
  const ids = [sweepWorkflowId(runId), ...Array.from({ length: lanes }, (_, index) => laneWorkflowId(runId, index))];
  return await Promise.all(ids.map((workflowId) => readHistory(client, workflowId)));
}

async function readHistory(client: Client, workflowId: string): Promise<SweepHistory> {
  const sizes: { events: number; bytes: number }[] = [];
  // A name that every process of the sweep would have too is not asked for: visibility may lag behind by a moment.
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    const { historyLength, historySizeBytes } = raw.workflowExecutionInfo ?? {};
    sizes.push({ events: Number(historyLength ?? 0), bytes: Number(historySizeBytes ?? 0) });
  }
  return {
    workflowId,
    runs: sizes.length,
    events: Math.max(0, ...sizes.map(({ events }) => events)),
    bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  };
}

/** Durations of the activities of a type in a workflow's last run. @unit milliseconds */
async function activityTimes(client: Client, workflowId: string, type: string): Promise<number[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = new Map<string, number>();
  const times: number[] = [];
  for (const event of events ?? []) {
    const at = Number(event.eventTime?.seconds ?? 0) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6;
    const { activityTaskScheduledEventAttributes: start, activityTaskCompletedEventAttributes: end } = event;
    if (start?.activityType?.name === type) scheduled.set(String(event.eventId), at);
    const begun = scheduled.get(String(end?.scheduledEventId));
    if (begun !== undefined) times.push(at - begun);
  }
  return times;
}
