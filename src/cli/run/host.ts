/** Puts up what a sweep needs (server, workers, scripted model), starts or attaches to it, and takes all down again. */

import { setTimeout as delay } from 'node:timers/promises';
import { findStrategy } from '../../agents/index.ts';
import { openRun } from '../../results/log/index.ts';
import { publishRun } from '../../results/report/index.ts';
import {
  connect,
  ensureSearchAttributes,
  reclaimFromDeadWorkers,
  startSweep,
  type StartedSweep,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { providersOf, sweepWorkflowId, taskQueues, type EpisodeKey, type SweepPlan } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { queuesOfRun, type RunQueues } from '../endpoints.ts';
import { ExitCode, UnreachableError } from '../../errors/index.ts';
import { isConnectionLost } from '../failures.ts';
import { onInterrupt } from '../interrupt.ts';
import { packFinder } from '../pack-lookup.ts';
import { applyRateLimits } from '../rate-limits.ts';
import { workersLost, type ScriptedOptions } from '../services.ts';
import { startTelemetry, type Telemetry } from '../telemetry.ts';
import { version, versions } from '../version.ts';
import { announceRun, resumeCommand, sweepUrl, workerCommand } from './announce.ts';
import { askOfRunning, resumeHalted, type Asked } from './attach.ts';
import type { ClaimedLog } from './claim.ts';
import { startCrew, type Crew } from './crew.ts';
import { followSweep, HaltedError, type FollowEnd } from './follow.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';
import { findRunning, type Running } from './running.ts';

/** How long workers may take to stop when their sweep or its server is lost. */
const LOST_MS = 3_000;

export interface Hosted {
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly claim: ClaimedLog;
  /** The scripted model that this process serves; null when the run needs none. */
  readonly scripted: ScriptedOptions | null;
  readonly asked: Asked;
  /** The only episodes to run; null: whatever is not done. */
  readonly only: readonly EpisodeKey[] | null;
}

/** Whether this process works on the run's episodes. */
export function hasWorker({ worker, detach }: RunOptions): boolean {
  return worker && !detach;
}

/** Everything that fails before the sweep has started leaves no trace; everything after it says how to go on. */
export async function hostSweep(hosted: Hosted, context: CliContext): Promise<FollowEnd | 'detached'> {
  const { request, options, claim } = hosted;
  announceRun(request, context);
  const undo = onInterrupt(() => {
    context.log('interrupted before the sweep was started; nothing has been run');
    void claim.giveBack().finally(() => process.exit(ExitCode.Interrupted));
  });
  let isStarted = false;
  let leaving: Leaving | null = null;
  let telemetry: Telemetry | null = null;
  try {
    // The SDK's runtime is set up once, before the first connection.
    telemetry = await startTelemetry(context, hasWorker(options) ? 'ERROR' : null);
    const { client, tracing } = telemetry;
    const { cwd: workDir, home, env } = context;
    const temporal = await connect({ workDir, home, env, onProgress: context.log, client });
    let crew: Crew | null = null;
    try {
      const running = await findRunning(temporal.client, request, hosted.asked.numTrials);
      const own = queuesOf(request, options, context);
      const { queues } = own;
      if (hasWorker(options)) {
        const work = { ...request, queues, attached: running?.queues ?? null, logDirs: [request.run.logDir] };
        crew = await startCrew(work, options, hosted.scripted, temporal, context, tracing);
      } else {
        const all = running === null ? [queues] : [queues, running.queues];
        const limited = { queues: [taskQueues(options.taskQueue), ...all], providers: [], endpoints: {} };
        await applyRateLimits(temporal, limited, options.maxLlmCallsPerSecond, context.log);
      }
      const started = await start(hosted, own, running?.plan ?? request.plan, temporal, context);
      isStarted = true;
      leaving = new Leaving(context);
      undo();
      const end = await stay({ hosted, temporal, crew, started, running, leaving }, context);
      await crew?.workers.stop();
      return end;
    } catch (error) {
      // Calls under way are of no use any more, and what the workers say of the same trouble is no news.
      await Promise.race([crew?.workers.stop().catch(() => undefined), delay(LOST_MS)]);
      throw error;
    } finally {
      await crew?.services.close();
      await temporal.close();
    }
  } catch (error) {
    if (!isStarted) await claim.giveBack();
    throw isStarted ? withWayOn(error, hosted) : error;
  } finally {
    undo();
    await telemetry?.stop();
    leaving?.end();
  }
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
  await openRun(
    claim.log,
    { ...request, plan, workflowId },
    {
      label: findStrategy(config.strategy, config.strategyOptions.agentFile)?.label ?? config.strategy,
      versions: versions(),
      temporal: { address, namespace, workflowId },
      notes,
      endpoints: endpoints.map(({ provider, description }) => ({ provider, address: description })),
    },
  );
  const indexed = attributes.kind === 'ready';
  const restriction = only === null ? {} : { only };
  const token = await claim.log.ensureToken();
  const input = { run: { ...run, token }, config, plan, maxConcurrency, maxCostUsd, queues, indexed, ...restriction };
  return startSweep(temporal.client, input, version);
}

interface Stay {
  readonly hosted: Hosted;
  readonly temporal: TemporalConnection;
  readonly crew: Crew | null;
  readonly started: StartedSweep;
  /** The run that was under way before; null: this process has started it. */
  readonly running: Running | null;
  readonly leaving: Leaving;
}

/** What Ctrl-C means from the sweep's start on; there is no moment in which it means nothing. */
class Leaving {
  /** Resolves when the person wants to leave. */
  readonly asked: Promise<void>;
  readonly end: () => void;

  constructor(context: CliContext) {
    let ask = () => {};
    this.asked = new Promise((resolve) => {
      ask = resolve;
    });
    this.end = onInterrupt(() => {
      context.log('interrupted: what is under way is being finished; interrupt again to leave at once');
      ask();
    });
  }
}

async function stay(
  { hosted, temporal, crew, started, running, leaving }: Stay,
  context: CliContext,
): Promise<FollowEnd | 'detached'> {
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
    if (count > 0) context.log(`taken over from workers that have died: ${count} of their calls`);
  }
  if (isAttached) {
    const run = { runId: request.run.runId, temporal, numTrials: running.plan.numTrials };
    await askOfRunning(hosted.asked, run, context);
    // Whoever takes it up again has seen to what was refused, and brings the key as it is now.
    if (crew !== null) await resumeHalted(run, context);
  }
  if (options.detach) {
    context.log(`it goes on wherever workers run: ${workerCommand(request, options)}`);
    context.log(`come back to it with: ${resume}`);
    return 'detached';
  }
  context.log(`after any interruption, go on with: ${resume}`);
  const lost = crew === null ? {} : { workersLost: crew.workers.ended.then(workersLost, workersLost) };
  const taskQueue = (running?.queues ?? queuesOf(request, options, context).queues).main;
  const followed = {
    temporal,
    handle,
    log: claim.log,
    url,
    taskQueue,
    isAttached,
    interrupted: leaving.asked,
    ...lost,
  };
  const end = await followSweep(followed, context).catch(async (error: unknown) => {
    if (error instanceof HaltedError) await publishRun(claim.log, context.log, { findPack: packFinder(context) });
    throw error;
  });
  if (end === 'interrupted') {
    await crew?.workers.stop();
    await publishRun(claim.log, context.log, { findPack: packFinder(context) });
    context.log(`go on with: ${resume}`);
  } else if (temporal.server !== null) {
    context.log(`Temporal UI stays at ${url ?? temporal.server.uiUrl}; \`npx tauflow server stop\` ends the server`);
  }
  return end;
}

function withWayOn(error: unknown, { request, options }: Hosted): unknown {
  const isKnown = error instanceof UnreachableError;
  if (!isKnown && !isConnectionLost(error)) return error;
  const message = isKnown ? error.message : 'the Temporal server does not answer any more';
  return new UnreachableError(
    `${message.replace(/\.?$/, '')}; nothing is lost, go on with: ${resumeCommand(request.run.runId, options)}`,
    { cause: error },
  );
}
