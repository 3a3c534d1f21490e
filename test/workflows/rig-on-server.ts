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

import { createActivities, type ActivityDeps } from '../../activities/index.ts';
import type { Activities } from '../../src/wire/activities.ts';
import { findStrategy } from '../../src/agents/registry.ts';
import type { CallModel } from '../../src/models/types.ts';
import { TranscriptStore } from '../../src/models/transcripts.ts';
import type { OwnAgent } from '../../src/agents/from-file/load.ts';
import { findPackByRef, resolvePack } from '../../src/packs/find.ts';
import type { Pack } from '../../src/packs/types.ts';
import { RunLog } from '../../src/results/log/run-log.ts';
import { installRuntime, startWorkers, type WorkerPool } from '../../src/temporal/worker/worker.ts';
import type { EpisodeKey, EvaluationConfig, RunRef } from '../../src/wire/config.ts';
import type { EpisodeInput, TaskQueues } from '../../src/wire/episode.ts';
import { episodeWorkflowId, taskQueues } from '../../src/wire/names.ts';
import { packKeyOf } from '../../src/packs/types.ts';
import type { SweepInput } from '../../src/wire/sweep.ts';
import type { episode } from '../../workflows/episode.ts';
import { episodeAttributes } from '../../workflows/visibility.ts';

installRuntime('ERROR');

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
  /** Whose calls the workers make. @default `scripted` alone */
  readonly providers?: readonly string[];
  /** @default the shipped retail pack */
  readonly pack?: Pack;
  /** Also the name of the task queue. @default a random one */
  readonly runId?: string;
  /** @default a temporary folder, which is deleted at the end */
  readonly logDir?: string;
  /** Agents from files, with which the workflows are bundled anew. @default none */
  readonly agents?: readonly OwnAgent[];
  /** Replaces parts of the activities' dependencies. */
  readonly deps?: Partial<ActivityDeps>;
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
  const { address, namespace } = server;
  const pack = options.pack ?? (await resolvePack('retail'));
  const name = options.runId ?? `test-${randomUUID().slice(0, 8)}`;
  const logDir = options.logDir ?? (await mkdtemp(join(tmpdir(), 'tauflow-log-')));
  const queues = taskQueues(name);
  const connection = await Connection.connect({ address });
  const workers = await startTestWorkers(server, queues, pack, options);
  const client = new Client({ connection, namespace });
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
      await workers.stop();
      await connection.close();
      if (options.logDir === undefined) await rm(logDir, { recursive: true, force: true });
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

function startTestWorkers(
  { address, namespace, workflowBundle }: RigServer,
  queues: TaskQueues,
  pack: Pack,
  options: RigOptions,
): Promise<WorkerPool> {
  const real = createActivities({
    findPack: async (ref) => (ref.digest === pack.ref.digest ? pack : await findPackByRef(ref)),
    findStrategy,
    transcripts: new TranscriptStore(),
    callModel: options.callModel,
    priceCall: () => 0.001,
    versions: { tauflow: 'test' },
    warn: () => undefined,
    ...options.deps,
  });
  return startWorkers({
    connection: { address },
    namespace,
    queues: [queues],
    activities: { ...real, complete: beating(real.complete), ...options.activities?.(real) },
    heartbeatThrottleMs: BEAT_MS,
    providers: options.providers ?? [PROVIDER],
    // What a command asks for that runs this pack.
    endpoints: { [PROVIDER]: [packKeyOf(pack)] },
    workflowBundle,
    agents: options.agents ?? [],
  });
}
