/**
 * Starts the server, workers and scripted model that a sweep needs, starts or attaches to the sweep, and stops them at
 * its end.
 */

import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { findStrategy, serviceOptions } from '../../agents/index.ts';
import type { RunFacts, RunLog } from '../../run-log/index.ts';
import { WHOLE_RUN } from '../../run-log/store/index.ts';
import { publishRun, reportOfRun, type Report } from '../../results/report/index.ts';
import {
  attachSweep,
  findPollers,
  reclaimFromDeadWorkers,
  startSweep,
  workflowStatus,
  type StartedSweep,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import {
  AGENT_SERVICE,
  episodeWorkflowId,
  listCalledProviders,
  sweepWorkflowId,
  taskQueues,
  type EpisodeKey,
  type SweepInput,
  type TaskQueues,
} from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import {
  applyRateLimits,
  queuesOfRun,
  startRunWorkers,
  withHost,
  type RunQueues,
  type ScriptedOptions,
  type WorkerHost,
} from '../../host/index.ts';
import { ExitCode, UnreachableError, firstLine } from '../../errors/index.ts';
import { ServerError } from '../../temporal/errors.ts';
import { isConnectionLost } from '../context.ts';
import { awaitInterrupt, onInterrupt, type Interruption } from '../interrupt.ts';
import { packFinder, registerAttributes } from '../find-run.ts';
import { version, readVersions } from '../../host/surroundings.ts';
import { announceRun, resumeCommand, sweepUrl, workerCommand } from './announce.ts';
import { applyToRunning, resumeAttached, resumeHalted, type AttachOptions } from './attach.ts';
import type { ClaimedLog, RunOptions, RunRequest } from '../../run-setup/index.ts';
import { EndedEarlyError, followSweep, HaltedError, type FollowEnd } from './follow.ts';
import { OutsideSteps } from './outside.ts';
import { describeRepeatedEpisodes, type FindStatus } from './repeated.ts';
import { refuseOtherFolder } from './known-elsewhere.ts';
import { findRunning, type RunningSweep } from './running-sweep.ts';

/** Longest wait for the server's list of workers at the end of this process, in ms. */
const LEAVING_MS = 5_000;

interface HostedRun {
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly claim: ClaimedLog;
  /** The scripted model that this process serves; null if the run needs none. */
  readonly scripted: ScriptedOptions | null;
  readonly asked: AttachOptions;
  /** True if the log folder has no run of this id. */
  readonly isNew: boolean;
  /** The only episodes to run; null for all unfinished ones. */
  readonly only: readonly EpisodeKey[] | null;
}

/** True if this process works on the run's episodes. */
export function hasWorker({ worker, detach }: RunOptions): boolean {
  return worker && !detach;
}

/** End of the command's part in a sweep. Only an ended sweep has a report. */
type HostedEnd =
  | { readonly kind: 'detached' | 'interrupted' }
  | { readonly kind: 'ended' | 'cancelled'; readonly report: Report; readonly log: RunLog };

/** Runs a sweep. A failure before its start leaves no trace; after a later failure the command prints how to resume. */
export async function hostSweep(hosted: HostedRun, context: CliContext): Promise<HostedEnd> {
  const { request, options, claim, scripted } = hosted;
  announceRun(request, context);
  const undo = onInterrupt(() => {
    context.log('interrupted before the run started; no episode has run');
    void claim.giveBack().finally(() => process.exit(ExitCode.Interrupted));
  });
  let leaving: Interruption | null = null;
  const { config, maxConcurrency } = request;
  const workers = hasWorker(options)
    ? ({ logLevel: 'ERROR', providers: listCalledProviders(config), maxConcurrency } as const)
    : null;
  const { taskQueue, maxLlmCallsPerSecond: rateLimits, gatewayUrl } = options;
  try {
    return await withHost(context, { workers }, async (host) => {
      const { temporal } = host;
      if (hosted.isNew) await refuseOtherFolder(temporal, request.run);
      const running = await findRunning(temporal.client, request, hosted.asked.numTrials);
      if (running === null && hosted.only === null && claim.folder !== null) {
        const findStatus: FindStatus = async (episode, workflowRunId) =>
          config.strategy === AGENT_SERVICE
            ? null
            : workflowStatus(temporal.client, episodeWorkflowId(request.run.runId, episode), workflowRunId);
        for (const each of await describeRepeatedEpisodes(claim.folder, findStatus)) context.log(`resumed  ${each}`);
      }
      const own = findRunQueues(request, options, context);
      const { queues } = own;
      // Runs while the workers start. A failure is reported where the result is awaited.
      const indexing = registerAttributes(temporal, config, context);
      indexing.catch(() => undefined);
      let workerHost: WorkerHost | null = null;
      if (workers !== null) {
        const logDirs = [request.run.logDir];
        const work = { taskQueue, rateLimits, maxConcurrency, config, queues, logDirs, scripted, gatewayUrl };
        workerHost = await startRunWorkers(host, work, running?.queues ?? null);
      } else {
        const all = running === null ? [queues] : [queues, running.queues];
        const limited = { queues: [taskQueues(taskQueue), ...all], providers: [], endpoints: {} };
        await applyRateLimits(temporal, limited, rateLimits, context.log);
      }
      const started = await startHosted(hosted, own, { running, indexed: await indexing }, temporal);
      // Interruptions are handled from the sweep's start on, without a gap.
      leaving = awaitInterrupt(() =>
        context.log('interrupted: what is under way is being finished; interrupt again to leave at once'),
      );
      undo();
      return followHosted({ hosted, temporal, workers: workerHost, ...started, leaving }, context);
    });
  } catch (error) {
    if (leaving !== null) throw withResumeCommand(error, hosted);
    await claim.giveBack();
    throw error;
  } finally {
    undo();
    (leaving as Interruption | null)?.end();
  }
}

/** Returns the queues of a run that this process starts. */
function findRunQueues({ config, pack }: RunRequest, { taskQueue }: RunOptions, { env }: CliContext): RunQueues {
  const agentDigest = config.strategyOptions.agentFile?.digest;
  return queuesOfRun(taskQueue, { providers: listCalledProviders(config), pack, agentDigest }, env);
}

/** Returns the scripted model's behavior from the flags. */
function scriptedFacts({ scriptedLatency, scriptedFaults }: RunOptions): Pick<RunFacts, 'scripted'> {
  const scripted = {
    ...(scriptedLatency === undefined ? {} : { latencyMs: scriptedLatency }),
    ...(scriptedFaults === undefined ? {} : { faults: scriptedFaults }),
  };
  return Object.keys(scripted).length === 0 ? {} : { scripted };
}

interface BegunRun {
  readonly started: StartedSweep;
  /** The run that was already in progress; null: this process has started it. */
  readonly running: RunningSweep | null;
}

/**
 * Starts the sweep, or attaches to the one in progress. An attached sweep gets a request for more trials later, and
 * records them itself. Another process may have created the run's folder or started the sweep before.
 * @param running the sweep in progress when the command began
 * @throws UsageError if another process has started the sweep as another experiment
 */
async function startHosted(
  { request, options, claim, scripted, only, asked }: HostedRun,
  { queues, endpoints }: RunQueues,
  { running, indexed }: Pick<BegunRun, 'running'> & Pick<SweepInput, 'indexed'>,
  { client, address, namespace }: TemporalConnection,
): Promise<BegunRun> {
  const { run, config, maxConcurrency, maxCostUsd, notes } = request;
  const plan = running?.plan ?? request.plan;
  const workflowId = sweepWorkflowId(run.runId);
  const facts: RunFacts = {
    label: findStrategy(config.strategy, config.strategyOptions.agentFile)?.label ?? config.strategy,
    versions: readVersions(),
    temporal: { address, namespace, workflowId },
    notes,
    endpoints: endpoints.map(({ provider, description }) => ({ provider, address: description })),
    ...(scripted === null ? {} : scriptedFacts(options)),
  };
  const token = await claim.open({ ...request, plan, workflowId }, facts);
  const restriction = only === null ? {} : { only };
  const input = { run: { ...run, token }, config, plan, maxConcurrency, maxCostUsd, queues, indexed, ...restriction };
  for (let isFirst = running === null; ; isFirst = true) {
    if (isFirst) {
      try {
        return { started: await startSweep(client, input, version), running: null };
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    }
    const found = await findRunning(client, request, asked.numTrials, token);
    const started = found === null ? null : await attachSweep(client, workflowId);
    if (started !== null) return { started, running: found };
  }
}

interface Stay extends BegunRun {
  readonly hosted: HostedRun;
  readonly temporal: TemporalConnection;
  readonly workers: WorkerHost | null;
  readonly leaving: Interruption;
}

async function followHosted(
  { hosted, temporal, workers, started, running, leaving }: Stay,
  context: CliContext,
): Promise<HostedEnd> {
  const { request, options, claim } = hosted;
  const { handle, workflowRunId } = started;
  const isAttached = running !== null;
  const url = sweepUrl(temporal, handle, workflowRunId);
  const resume = resumeCommand(request.run.runId, options);
  context.log(isAttached ? 'attached to the run in progress' : 'run started');
  if (url !== null) context.log(`UI       ${url}`);
  if (isAttached && temporal.origin === 'local') {
    const count = await reclaimFromDeadWorkers(temporal.client, handle.workflowId);
    if (count > 0) context.log(`reassigned ${count === 1 ? '1 call' : `${count} calls`} from dead workers`);
  }
  if (isAttached) {
    const run = { runId: request.run.runId, temporal, numTrials: running.plan.numTrials };
    const { agentUrl } = serviceOptions(request.config.strategyOptions);
    const moved = agentUrl === undefined || agentUrl === running.agentUrl ? {} : { agentUrl };
    await applyToRunning({ ...hosted.asked, limits: { ...hosted.asked.limits, ...moved } }, run, context);
    // The person who resumes the run has fixed what was refused, and this process has the current key.
    if (workers !== null) await (hosted.asked.resumes ? resumeAttached : resumeHalted)(run, context);
  }
  if (options.detach) {
    context.log(`it goes on wherever workers run: ${workerCommand(request, options)}`);
    context.log(`resume it with: ${resume}`);
    return { kind: 'detached' };
  }
  context.log(`after any interruption, resume with: ${resume}`);
  const lost = workers === null ? {} : { workersLost: workers.lost };
  const queues = running?.queues ?? findRunQueues(request, options, context).queues;
  const steps = options.decisions === 'stdio' ? new OutsideSteps(temporal.client, request.run.runId, context) : null;
  const followed = {
    temporal,
    handle,
    log: claim.folder,
    url,
    taskQueue: queues.main,
    isAttached,
    maxConcurrency: request.maxConcurrency,
    interrupted: steps === null ? leaving.asked : Promise.race([leaving.asked, steps.left]),
    ...lost,
  };
  const publish = () =>
    claim.change(WHOLE_RUN, (log) => publishRun(log, context.log, { findPack: packFinder(context) }));
  let end: FollowEnd | null = null;
  try {
    end = await followSweep(followed, context);
  } catch (error) {
    if (error instanceof HaltedError) await publish();
    throw error;
  } finally {
    await steps?.finish(end === 'ended');
  }
  if (end === 'interrupted') {
    await workers?.stop();
    await publish();
    // If the server has just gone, no other worker is named.
    const others = await otherWorkers(temporal, queues).catch(() => []);
    if (others.length > 0) {
      const { runId } = request.run;
      context.log(
        `the run goes on at ${others.join(', ')}: \`npx tauflow cancel ${runId}\` ends it, ` +
          `\`npx tauflow pause ${runId}\` opens no further episodes`,
      );
    }
    context.log(`${others.length > 0 ? 'follow it again' : 'resume'} with: ${resume}`);
    return { kind: end };
  }
  if (temporal.server !== null) {
    context.log(`Temporal UI stays at ${url ?? temporal.server.uiUrl}; \`npx tauflow server stop\` ends the server`);
  }
  // The two do not depend on each other, and each takes about a second.
  const reading = async () => {
    const log = await claim.read();
    return { log, report: await reportOfRun(log, packFinder(context)) };
  };
  const [read] = await Promise.all([reading(), workers?.stop()]);
  return { kind: end, ...read };
}

/** Returns the workers of other processes that take the sweep's tasks. */
async function otherWorkers({ client }: TemporalConnection, queues: TaskQueues): Promise<readonly string[]> {
  const pollers = await client.withDeadline(Date.now() + LEAVING_MS, () => findPollers(client, queues, []));
  return pollers.flatMap(({ workers }) => workers.filter((name) => !name.startsWith(`${process.pid}@`)));
}

function withResumeCommand(error: unknown, { request, options }: HostedRun): unknown {
  const isKnown = error instanceof UnreachableError || error instanceof ServerError;
  if (!isKnown && !isConnectionLost(error)) return error;
  const message = isKnown ? firstLine(error) : 'the Temporal server does not answer any more';
  const kept =
    error instanceof EndedEarlyError
      ? 'finished episodes are recorded, finished calls of open ones are kept'
      : 'nothing is lost';
  return new UnreachableError(
    `${message.replace(/\.?$/, '')}; ${kept}, resume with: ${resumeCommand(request.run.runId, options)}`,
    { cause: error },
  );
}
