/** Work on a sweep once there is a server: its workers, its start or the attachment to it, and its end. */

import { findStrategy } from '../../agents/index.ts';
import { openRun, type RunFacts } from '../../results/log/index.ts';
import { RUN_HEAD, WHOLE_RUN } from '../../results/store/index.ts';
import { publishRun, reportOfRun } from '../../results/report/index.ts';
import {
  ensureSearchAttributes,
  reclaimFromDeadWorkers,
  startSweep,
  type StartedSweep,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { providersOf, sweepWorkflowId, taskQueues, type SweepPlan } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { applyRateLimits, queuesOfRun, startRunWorkers, type RunQueues, type WorkerHost } from '../../host/index.ts';
import type { ProcessHost } from '../../host/host.ts';
import { packFinder } from '../find-run.ts';
import { version, versions } from '../../host/surroundings.ts';
import { resumeCommand, sweepUrl, workerCommand } from './announce.ts';
import { askOfRunning, resumeHalted } from './attach.ts';
import { followSweep, HaltedError, type FollowEnd } from './follow.ts';
import type { Hosted, HostedEnd } from './host.ts';
import { OutsideSteps } from './outside.ts';
import { findRunning, type Running } from './running.ts';
import type { RunRequest } from './request.ts';
import { hasWorker, type RunOptions } from './options.ts';

interface StartedHosted {
  readonly workers: WorkerHost | null;
  readonly started: StartedSweep;
  /** The run that was under way before; null: this process has started it. */
  readonly running: Running | null;
}

/** Starts the workers of this process and the sweep, or attaches to the one that is under way. */
export async function startHosted(host: ProcessHost, hosted: Hosted, context: CliContext): Promise<StartedHosted> {
  const { temporal } = host;
  const { request, options, scripted } = hosted;
  const { taskQueue, maxLlmCallsPerSecond: rateLimits } = options;
  const running = await findRunning(temporal.client, request, hosted.asked.numTrials);
  const own = queuesOf(request, options, context);
  const { queues } = own;
  let workers: WorkerHost | null = null;
  if (hasWorker(options)) {
    const { config, maxConcurrency, run } = request;
    const work = { taskQueue, rateLimits, maxConcurrency, config, queues, logDirs: [run.logDir], scripted };
    workers = await startRunWorkers(host, work, running?.queues ?? null);
  } else {
    const all = running === null ? [queues] : [queues, running.queues];
    const limited = { queues: [taskQueues(taskQueue), ...all], providers: [], endpoints: {} };
    await applyRateLimits(temporal, limited, rateLimits, context.log);
  }
  const started = await start(hosted, own, running?.plan ?? request.plan, temporal, context);
  return { workers, started, running };
}

/** The queues of a run as this process starts it. */
function queuesOf({ config, pack }: RunRequest, { taskQueue }: RunOptions, { env }: CliContext): RunQueues {
  const agentDigest = config.strategyOptions.agentFile?.digest;
  return queuesOfRun(taskQueue, { providers: providersOf(config), pack, agentDigest }, env);
}

/** @param plan of the sweep that is attached to: more trials are asked of it, and it writes them down itself */
async function start(
  { request, claim, only }: Hosted,
  { queues, endpoints }: RunQueues,
  plan: SweepPlan,
  temporal: TemporalConnection,
  context: CliContext,
) {
  const attributes = await ensureSearchAttributes(temporal.connection, temporal.namespace);
  if (attributes.kind === 'unavailable') context.log(`warning: ${attributes.reason}`);
  const { run, config, maxConcurrency, maxCostUsd, notes } = request;
  const workflowId = sweepWorkflowId(run.runId);
  const { address, namespace } = temporal;
  const facts: RunFacts = {
    label: findStrategy(config.strategy, config.strategyOptions.agentFile)?.label ?? config.strategy,
    versions: versions(),
    temporal: { address, namespace, workflowId },
    notes,
    endpoints: endpoints.map(({ provider, description }) => ({ provider, address: description })),
  };
  const token = await claim.change(RUN_HEAD, async (log) => {
    await openRun(log, { ...request, plan, workflowId }, facts);
    return log.ensureToken();
  });
  const indexed = attributes.kind === 'ready';
  const restriction = only === null ? {} : { only };
  const input = { run: { ...run, token }, config, plan, maxConcurrency, maxCostUsd, queues, indexed, ...restriction };
  return startSweep(temporal.client, input, version);
}

interface Stay extends StartedHosted {
  readonly hosted: Hosted;
  readonly temporal: TemporalConnection;
  /** Resolves when the person wants to leave. */
  readonly leaving: Promise<void>;
}

/** Follows the sweep to its end, or until the person leaves. */
export async function stay(
  { hosted, temporal, workers, started, running, leaving }: Stay,
  context: CliContext,
): Promise<HostedEnd> {
  const { request, options, claim } = hosted;
  const { handle } = started;
  const isAttached = running !== null;
  const { runId } = await handle.describe();
  const url = sweepUrl(temporal, handle, runId);
  const resume = resumeCommand(request.run.runId, options);
  context.log(isAttached ? 'attached to the sweep that is under way' : 'sweep started');
  if (url !== null) context.log(`UI       ${url}`);
  if (isAttached && temporal.origin === 'local') {
    const count = await reclaimFromDeadWorkers(temporal.client, handle.workflowId);
    if (count > 0) context.log(`reassigned ${count === 1 ? '1 call' : `${count} calls`} from dead workers`);
  }
  if (isAttached) {
    const run = { runId: request.run.runId, temporal, numTrials: running.plan.numTrials };
    await askOfRunning(hosted.asked, run, context);
    // Whoever takes it up again has seen to what was refused, and brings the key as it is now.
    if (workers !== null) await resumeHalted(run, context);
  }
  if (options.detach) {
    context.log(`it goes on wherever workers run: ${workerCommand(request, options)}`);
    context.log(`come back to it with: ${resume}`);
    return { kind: 'detached' };
  }
  context.log(`after any interruption, resume with: ${resume}`);
  const lost = workers === null ? {} : { workersLost: workers.lost };
  const taskQueue = (running?.queues ?? queuesOf(request, options, context).queues).main;
  const steps = options.decisions === 'stdio' ? new OutsideSteps(temporal.client, request.run.runId, context) : null;
  const followed = {
    temporal,
    handle,
    log: claim.folder,
    url,
    taskQueue,
    isAttached,
    interrupted: steps === null ? leaving : Promise.race([leaving, steps.left]),
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
    context.log(`resume with: ${resume}`);
    return { kind: end };
  }
  if (temporal.server !== null) {
    context.log(`Temporal UI stays at ${url ?? temporal.server.uiUrl}; \`npx tauflow server stop\` ends the server`);
  }
  // Neither needs the other, and each takes a second or so.
  const reading = async () => {
    const log = await claim.read();
    return { log, report: await reportOfRun(log, packFinder(context)) };
  };
  const [read] = await Promise.all([reading(), workers?.stop()]);
  return { kind: end, ...read };
}
