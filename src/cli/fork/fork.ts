/** `tauflow fork RUN EPISODE --at-step N`: runs an episode again from one of its steps, with a change. */

import type { Command } from 'commander';
import { type CliContext, printJson, shownPath } from '../context.ts';
import { UsageError, ExitCode, UnreachableError, onError } from '../../errors/index.ts';
import { addFlags, addStrategyFlags, allowOwnFlags, readRunFlags, type RunFlags } from '../options/flags.ts';
import { WorkflowFailedError } from '@temporalio/client';
import { buildFork, repliesInRecord } from '../../run-log/index.ts';
import { forkedPart } from '../../run-log/store/index.ts';
import { readReplies, startFork, type ForkHandle, type TemporalConnection } from '../../temporal/client/index.ts';
import {
  episodeName,
  WORKFLOW_VERSION,
  forkName,
  forkNumber,
  isMaker,
  findModel,
  listCalledProviders,
  workflowUrl,
  type EvaluationConfig,
  type TaskQueues,
} from '../../evaluation/index.ts';
import type { EpisodeInput, RecordedReply } from '../../episode/index.ts';
import { queuesOfRun, startRunWorkers, withHost, type WorkerHost } from '../../host/index.ts';
import { awaitEnd } from '../await-end.ts';
import { registerAttributes } from '../find-run.ts';
import { SCRIPTED } from '../../models/providers.ts';
import { accessRun, withToken } from '../../run-setup/index.ts';
import { hasWorker } from '../run/host.ts';
import { formatForksCommand } from '../run-log.ts';
import { resolveFork, type AskedFork } from './request.ts';
import { listForks, showFork } from './show.ts';

export function defineForkCommand(fork: Command, context: CliContext): void {
  fork
    .argument('<run>', 'a run id')
    .argument('[episode]', 'an episode, such as task-17.trial-0, or a fork of one, task-17.trial-0.fork-1')
    .option('--at-step <n>', 'first step to run anew; the steps before it are replayed');
  addFlags(fork, 'fork', [
    'model',
    'modelProvider',
    'agentStrategy',
    'userModel',
    'userModelProvider',
    'temperature',
    'agentModelSettings',
    'userModelSettings',
    'roleModels',
    'seed',
  ]);
  fork
    .option('--observation <text>', 'observation of the last replayed step, replaced; the data stay unchanged')
    .option('--observation-file <file>', 'the same, from a file');
  addFlags(fork, 'fork', ['maxSteps', 'maxRetries', 'maxCost', 'prices']);
  fork.option('--list', 'list the forks of the run');
  addFlags(fork, 'fork', [
    'logDir',
    'detach',
    'worker',
    'taskQueue',
    'json',
    'reasoningEffort',
    'userReasoningEffort',
    'maxCompletionTokens',
    'userMaxCompletionTokens',
  ]);
  addStrategyFlags(fork);
  allowOwnFlags(fork);
  fork.action(async (runId: string, episode: string | undefined) => {
    const given = readRunFlags(fork);
    const { list, ...options } = given.options;
    // Only the agent's own file can have further flags, and this file is known only with an episode.
    if (list === true || episode === undefined || episode.startsWith('-')) given.readOwn?.(undefined);
    if (list === true) {
      return listForks(runId, options, context);
    }
    if (episode === undefined) {
      throw new UsageError('name the episode to fork, such as task-17.trial-0, or give --list.');
    }
    context.end(await forkEpisode(runId, episode, { ...given, options }, context));
  });
}

/** Largest input in bytes, half a megabyte below Temporal's largest payload. */
const MAX_INPUT_BYTES = 1_500_000;

async function forkEpisode(runId: string, name: string, flags: RunFlags, context: CliContext): Promise<ExitCode> {
  const asked = await resolveFork(runId, name, flags, context);
  const { options, config, pack, warnings } = asked;
  for (const warning of warnings) context.log(`warning: ${warning}`);
  const providers = listCalledProviders(config);
  const work = {
    taskQueue: options.taskQueue,
    rateLimits: options.maxLlmCallsPerSecond,
    maxConcurrency: 1,
    config,
    queues: findForkQueues(asked, context),
    logDirs: [asked.log.logDir],
    scripted: providers.includes(SCRIPTED) ? { packs: [pack] } : null,
  };
  const workers = hasWorker(options) ? ({ logLevel: 'ERROR', providers, maxConcurrency: 1 } as const) : null;
  return withHost(context, { workers }, async (host) => {
    const { temporal } = host;
    const replies = await findReplies(asked, temporal, context);
    const workerHost = workers === null ? null : await startRunWorkers(host, work);
    const started = await openFork(asked, replies, temporal, context);
    return followFork(asked, started, temporal, workerHost, context);
  });
}

function findForkQueues({ config, pack, options }: AskedFork, { env }: CliContext): TaskQueues {
  const agentDigest = config.strategyOptions.agentFile?.digest;
  return queuesOfRun(options.taskQueue, { providers: listCalledProviders(config), pack, agentDigest }, env).queues;
}

/** @throws UsageError if neither the server nor the record has the replies of the replayed steps */
async function findReplies(
  { record, origin }: AskedFork,
  { client, address }: TemporalConnection,
  context: CliContext,
): Promise<readonly RecordedReply[]> {
  const { workflowId, workflowRunId, fork } = record;
  const replies = await readReplies(client, { workflowId, workflowRunId }, fork?.replayedCalls);
  if (replies !== null) return replies;
  const recorded = repliesInRecord(record);
  if (recorded === null) {
    throw new UsageError(
      `the Temporal server at ${address} does not have the history of ${origin} (any more), and the record of an ` +
        `episode of ${record.config.strategy} does not have all that its model said; run the episode again to fork it.`,
    );
  }
  context.log(`the server at ${address} does not have the history of ${origin}: its replies are read off its record`);
  return recorded;
}

/** Returns a sentence for each model whose reasoning is dropped because another model continues. */
function unreadReasoning(replies: readonly RecordedReply[], config: EvaluationConfig): string[] {
  const texts = replies.flatMap(({ role, result }) => {
    const continuation = result.kind === 'completion' ? result.message.continuation : undefined;
    if (continuation === undefined || isMaker(findModel(config, role), continuation)) return [];
    return [`reasoning of ${continuation.provider}/${continuation.model}: left out, because only it can read it`];
  });
  return [...new Set(texts)];
}

interface StartedFork {
  /** Name of the fork: `fork-2`. */
  readonly name: string;
  readonly handle: ForkHandle;
}

async function openFork(
  asked: AskedFork,
  replies: readonly RecordedReply[],
  temporal: TemporalConnection,
  context: CliContext,
): Promise<StartedFork> {
  const { log, episode, record, config, options, atStep, observation, changes } = asked;
  const indexed = await registerAttributes(temporal, config, context);
  const taken = (await log.listForks())
    .filter((fork) => episodeName(fork.episode) === episodeName(episode))
    .map(({ fork }) => forkNumber(fork));
  const run = await withToken(log, context);
  for (let number = Math.max(0, ...taken) + 1; ; number++) {
    const name = `fork-${number}`;
    const built = buildFork(record, replies, {
      name,
      atStep,
      strategy: config.strategy,
      changes,
      ...(observation === undefined ? {} : { observation }),
      ...(typeof options.maxCost !== 'number' ? {} : { maxCostUsd: options.maxCost }),
    });
    const fork = { ...built, changes: [...changes, ...unreadReasoning(built.replies, config)] };
    const input: EpisodeInput & { fork: typeof fork } = {
      run,
      episode,
      config,
      queues: findForkQueues(asked, context),
      indexed,
      version: WORKFLOW_VERSION,
      fork,
    };
    requireSize(input, atStep);
    const handle = await startFork(temporal.client, input);
    // A fork in progress has no record yet.
    if (handle !== null) return { name, handle };
  }
}

function requireSize(input: EpisodeInput, atStep: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes <= MAX_INPUT_BYTES) return;
  throw new UsageError(
    `the steps before step ${atStep} have ${bytes} bytes of replies; a workflow can be given ${MAX_INPUT_BYTES}: ` +
      'begin at an earlier step.',
  );
}

async function followFork(
  asked: AskedFork,
  { name, handle }: StartedFork,
  temporal: TemporalConnection,
  workers: WorkerHost | null,
  context: CliContext,
): Promise<ExitCode> {
  const { log, episode, options } = asked;
  const { uiUrl, namespace } = temporal;
  const url = uiUrl === null ? null : workflowUrl(uiUrl, namespace, handle.workflowId);
  context.log(`fork     ${handle.workflowId}`);
  if (url !== null) context.log(`UI       ${url}`);
  const comeBack = formatForksCommand(log, context);
  const left = (status: 'detached' | 'interrupted', code: ExitCode): ExitCode => {
    context.log(`any worker continues it; list it with: ${comeBack}`);
    if (options.json) printJson({ run_id: log.runId, fork: name, workflow_id: handle.workflowId, status }, context);
    return code;
  };
  if (options.detach) return left('detached', ExitCode.Done);
  const end = await awaitEnd(awaitFailure(handle), { temporal, workflowId: handle.workflowId, workers }, context);
  if (end === 'interrupted') return left('interrupted', ExitCode.Interrupted);
  const access = await accessRun(log, context);
  const record = await (await access.read(forkedPart(null))).readFork(episode, name);
  if (record === null) {
    const reason = typeof end === 'string' ? end : 'its record is on the machine of its worker';
    throw new UnreachableError(`the fork ${name} has ended without a record in ${log.shown.forks}: ${reason}.`);
  }
  const file = shownPath(`${log.shown.forks}/${forkName(episode, name)}.json`, context.cwd);
  return showFork({ origin: asked.record, originName: asked.origin, record, file, url }, options.json, context);
}

/** @returns the reason for a failure as part of a sentence; null on success */
async function awaitFailure(handle: ForkHandle): Promise<string | null> {
  return handle.result().then(
    () => null,
    onError((error) => error.cause?.message ?? error.message, WorkflowFailedError),
  );
}
