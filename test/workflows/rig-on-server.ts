/**
 * Workers on a server with a task queue of their own, and a model that whoever starts them plays: what the workflows
 * do is seen through a real server, with a worker, run log and workflow ids apart from all others.
 */

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, IllegalStateError } from '@temporalio/common';

import { createActivities, type ActivityDeps } from '../../activities/index.ts';
import {
  WORKFLOW_VERSION,
  episodeWorkflowId,
  taskQueues,
  type EvaluationConfig,
  type RunRef,
  type TaskQueues,
  type SweepInput,
} from '../../src/evaluation/index.ts';
import type { Activities } from '../../src/orchestration/index.ts';
import { findStrategy } from '../../src/agents/index.ts';
import { TranscriptStore, type CallModel } from '../../src/models/index.ts';
import type { OwnAgent } from '../../src/agents/from-file/index.ts';
import { findPackByRef, resolvePack, formatPackKey, type Pack } from '../../src/benchmarks/testing.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { installRuntime, startWorkers, type WorkerPool } from '../../src/temporal/worker/index.ts';
import type { EpisodeKey } from '../../src/benchmarks/index.ts';
import type { EpisodeInput } from '../../src/episode/index.ts';
import type { episode } from '../../workflows/client.ts';
import { episodeAttributes } from '../../workflows/testing.ts';

export interface RigServer {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** File with the workflows' bundle. */
  readonly workflowBundle: string;
}

export interface RigOptions {
  /** Answers model calls; the tests' models are in `models.ts`. */
  readonly callModel: CallModel;
  /** Providers whose calls the workers make. @default `scripted` alone */
  readonly providers?: readonly string[];
  /** @default the shipped retail pack */
  readonly pack?: Pack;
  /** Id of the run, and name of the task queue. @default a random one */
  readonly runId?: string;
  /** @default a temporary folder, which is deleted at the end */
  readonly logDir?: string;
  /** Agents from files, with which the workflows are bundled anew. @default none */
  readonly agents?: readonly OwnAgent[];
  /** Replaces parts of the activities' dependencies. */
  readonly deps?: Partial<ActivityDeps>;
  /** True if agents that are services are asked. @default false */
  readonly asksAgents?: boolean;
  /** Replaces activities. */
  readonly activities?: (real: Activities) => Partial<Activities>;
}

export interface Rig {
  readonly client: Client;
  readonly queues: TaskQueues;
  readonly pack: Pack;
  readonly run: RunRef;
  readonly log: RunLog;
  config(changes?: Partial<EvaluationConfig>): EvaluationConfig;
  sweepInput(changes?: Partial<SweepInput>): SweepInput;
  episodeInput(key?: Partial<EpisodeKey>, config?: Partial<EvaluationConfig>): EpisodeInput;
  startEpisode(input: EpisodeInput): Promise<WorkflowHandle<typeof episode>>;
  /** Number of episodes in the results file. */
  publishedEpisodes(): Promise<number>;
  /** Ends the workers, and deletes the run log. */
  stop(): Promise<void>;
}

const PROVIDER = 'scripted';

export async function startRigOn(server: RigServer, options: RigOptions): Promise<Rig> {
  const pack = options.pack ?? (await resolvePack('retail'));
  const name = options.runId ?? newName();
  const queues = taskQueues(name);
  const connection = await Connection.connect({ address: server.address });
  const workers = await startTestWorkers(server, queues, pack, { ...options, activities: playedBy(pack, options) });
  const client = new Client({ connection, namespace: server.namespace });
  return makeRig({ client, queues, pack, name, logDir: options.logDir }, async () => {
    await workers.stop();
    await connection.close();
  });
}

/** Settings that a rig decides for itself on workers that it shares. */
export type SharedRigOptions = Pick<RigOptions, 'callModel' | 'activities' | 'deps'>;

/** Workers that several rigs take turns at or use at once: to start one for each costs as much as the sweep of a test. */
export class SharedWorkers {
  readonly #queues = taskQueues(newName());
  readonly #pack: Pack;
  readonly #client: Client;
  /** Activities of the rigs that are in use, by the names of their runs. */
  readonly #played = new Map<string, Activities>();
  #workers: WorkerPool | undefined;

  private constructor(pack: Pack, client: Client) {
    this.#pack = pack;
    this.#client = client;
  }

  static async start(server: RigServer): Promise<SharedWorkers> {
    const pack = await resolvePack('retail');
    const connection = await Connection.connect({ address: server.address });
    const shared = new SharedWorkers(pack, new Client({ connection, namespace: server.namespace }));
    const activities = shared.#dispatched();
    shared.#workers = await startTestWorkers(server, shared.#queues, pack, { activities });
    return shared;
  }

  /** A rig with a run of its own, whose activities alone are those of `options`. */
  rig(options: SharedRigOptions): Promise<Rig> {
    const name = newName();
    this.#played.set(name, playedBy(this.#pack, options));
    const stage = { client: this.#client, queues: this.#queues, pack: this.#pack, name };
    return makeRig(stage, () => Promise.resolve(void this.#played.delete(name)));
  }

  /** Each activity is that of the run whose workflow asks for it: workflow ids have its name in them. */
  #dispatched(): Activities {
    const names = Object.keys(playedBy(this.#pack, { callModel: unplayed })) as (keyof Activities)[];
    const dispatch = (activity: keyof Activities) => (input: never) => {
      const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
      const played = this.#played.get(NAME.exec(workflowId)?.[0] ?? '');
      if (played === undefined) throw ApplicationFailure.nonRetryable(`the test of ${workflowId} has ended`);
      return (played[activity] as (input: never) => Promise<unknown>)(input);
    };
    return Object.fromEntries(names.map((name) => [name, dispatch(name)])) as unknown as Activities;
  }

  async stop(): Promise<void> {
    await this.#workers?.stop();
    await this.#client.connection.close();
  }
}

const NAME = /test-[0-9a-f]{8}/;

function newName(): string {
  return `test-${randomUUID().slice(0, 8)}`;
}

const unplayed = () => Promise.reject(new Error('no test is in progress'));

/** The parts that a rig is made of. */
interface Stage {
  readonly client: Client;
  readonly queues: TaskQueues;
  readonly pack: Pack;
  /** Name of its run. */
  readonly name: string;
  readonly logDir?: string | undefined;
}

async function makeRig(stage: Stage, stop: () => Promise<void>): Promise<Rig> {
  const { client, queues, pack, name } = stage;
  const logDir = stage.logDir ?? (await mkdtemp(join(tmpdir(), 'tauflow-log-')));
  const run: RunRef = { runId: name, logDir };

  const config = (changes: Partial<EvaluationConfig> = {}): EvaluationConfig => ({
    env: 'retail',
    split: 'test',
    pack: pack.ref,
    strategy: 'tool-calling',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    agentModel: { provider: PROVIDER, model: 'oracle', temperature: 0 },
    userStrategy: 'llm',
    userModel: { provider: PROVIDER, model: 'oracle', temperature: 0 },
    maxSteps: 30,
    seed: 10,
    maxRetries: 3,
    // Tests of outages choose another: elsewhere a call that fails for good ends its episode.
    outageTimeoutMs: 0,
    episodeTimeoutMs: 600_000,
    ...changes,
  });
  return {
    client,
    queues,
    pack,
    run,
    log: new RunLog(run),
    config,
    sweepInput: (changes = {}) => ({
      run,
      config: config(),
      plan: { taskIds: [0, 1, 2], numTrials: 1, shuffle: false },
      maxConcurrency: 2,
      maxCostUsd: null,
      queues,
      indexed: true,
      ...changes,
    }),
    episodeInput: (key = {}, changes = {}) => ({
      run,
      episode: { taskId: 0, trial: 0, ...key },
      config: config(changes),
      queues,
      indexed: true,
      version: WORKFLOW_VERSION,
    }),
    startEpisode: (input) =>
      client.workflow.start<typeof episode>('episode', {
        workflowId: episodeWorkflowId(run.runId, input.episode),
        taskQueue: queues.main,
        args: [input],
        typedSearchAttributes: episodeAttributes(run, input.config, input.episode),
      }),
    publishedEpisodes: async () => {
      const results: unknown = JSON.parse(await readFile(new RunLog(run).paths.results, 'utf8'));
      return Array.isArray(results) ? results.length : 0;
    },
    stop: async () => {
      await stop();
      if (stage.logDir === undefined) await rm(logDir, { recursive: true, force: true });
    },
  };
}

/** A cancel comes with a heartbeat's answer: tests do not wait as long for it as the program may. */
const BEAT_MS = 100;

export function beating<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await work(input);
    } finally {
      clearInterval(timer);
    }
  };
}

/** The real activities, but for what the options put in the place of some. */
function playedBy(pack: Pack, options: SharedRigOptions): Activities {
  const real = createActivities({
    findPack: async (ref) => (ref.digest === pack.ref.digest ? pack : await findPackByRef(ref)),
    findStrategy,
    transcripts: new TranscriptStore(),
    callModel: options.callModel,
    priceCall: () => 0.001,
    versions: { tauflow: 'test' },
    gateway: () => Promise.reject(new Error('these tests have no gateway')),
    agentKey: null,
    forwardCall: () => Promise.reject(new Error('these tests forward no calls')),
    warn: () => undefined,
    ...options.deps,
  });
  return { ...real, complete: beating(real.complete), ...options.activities?.(real) };
}

/** Other rigs, and tests before in the same process, may use the SDK's runtime already. */
export function ensureRuntime(): void {
  try {
    installRuntime('ERROR');
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

function startTestWorkers(
  { address, namespace, workflowBundle }: RigServer,
  queues: TaskQueues,
  pack: Pack,
  options: Pick<RigOptions, 'providers' | 'agents' | 'asksAgents'> & { readonly activities: Activities },
): Promise<WorkerPool> {
  ensureRuntime();
  return startWorkers({
    connection: { address },
    namespace,
    queues: [queues],
    activities: options.activities,
    heartbeatThrottleMs: BEAT_MS,
    providers: options.providers ?? [PROVIDER],
    // What a command asks for that runs this pack.
    endpoints: { [PROVIDER]: [formatPackKey(pack)] },
    workflowBundle,
    agents: options.agents ?? [],
    asksAgents: options.asksAgents ?? false,
  });
}
