/** What works on a run in this process: workers, and what their activities need. */

import { loadedAgents } from '../../agents/from-file/index.ts';
import { currentBuild, watchLocalServer, type TemporalConnection } from '../../temporal/client/index.ts';
import type { Tracing } from '../../temporal/telemetry/index.ts';
import type { WorkerPool } from '../../temporal/worker/index.ts';
import { endpointLabel, providersOf, taskQueues, type EvaluationConfig, type TaskQueues } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { servedEndpoints, withEndpoints } from '../endpoints.ts';
import { applyRateLimits } from '../rate-limits.ts';
import { surveyProviders } from '../providers.ts';
import { startServices, type ScriptedOptions, type Services } from '../services.ts';
import { checkTaskQueue } from '../task-queue.ts';
import { SCRIPTED } from './models.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';

export interface Crew {
  readonly services: Services;
  readonly workers: WorkerPool;
}

type Models = Pick<EvaluationConfig, 'agentModel' | 'roleModels' | 'userModel'>;

/** What of a run says which workers it needs. */
export interface Work extends Pick<RunRequest, 'maxConcurrency'> {
  readonly config: Models;
  /** The run's queues as this process would start it. */
  readonly queues: TaskQueues;
  /** Those of the run under way that this process attaches to; null: there is none. @default null */
  readonly attached?: TaskQueues | null;
  /** Folders that the work writes to: the workers of this process write to no others. */
  readonly logDirs: readonly string[];
}

/** @param scripted the scripted model that this process serves; null when the run needs none */
export async function startCrew(
  { maxConcurrency, config, queues, attached = null, logDirs }: Work,
  { taskQueue, maxLlmCallsPerSecond }: Pick<RunOptions, 'taskQueue' | 'maxLlmCallsPerSecond'>,
  scripted: ScriptedOptions | null,
  temporal: TemporalConnection,
  context: CliContext,
  tracing: Tracing | null = null,
): Promise<Crew> {
  const { startWorkers } = await import('../../temporal/worker/index.ts');
  const polled = attached === null ? [queues] : [queues, attached];
  for (const { main } of polled) await checkTaskQueue(temporal, main);
  await warnOfBuilds(temporal, queues.main, context);
  const needed = providersOf(config);
  const providers = providersHere(config, scripted !== null, context);
  let endpoints = servedEndpoints(providers, scripted?.packs ?? [], context.env);
  if (attached !== null) {
    for (const line of otherEndpoints(needed, queues, attached)) context.log(`warning: ${line}`);
    // Whoever resumes a run wants its calls made as they can be made here.
    endpoints = withEndpoints(endpoints, attached, needed);
  }
  const limited = { queues: [taskQueues(taskQueue), ...polled], providers, endpoints };
  const maxCallsPerSecond = await applyRateLimits(temporal, limited, maxLlmCallsPerSecond, context.log);
  const identity = await watchLocalServer(temporal);
  const services = await startServices(context, scripted, { logDirs });
  try {
    const workers = await startWorkers({
      connection: temporal.native,
      namespace: temporal.namespace,
      queues: polled,
      activities: services.activities,
      limits: services.limits,
      providers,
      endpoints,
      maxConcurrency,
      maxCallsPerSecond,
      agents: loadedAgents(),
      ...(identity === undefined ? {} : { identity }),
      extras: { dataConverter: temporal.dataConverter },
      ...(tracing === null ? {} : { tracing }),
    });
    return { services, workers };
  } catch (error) {
    identity?.stop();
    await services.close();
    throw error;
  }
}

/** One sentence for each provider whose calls the run was started to have made elsewhere. */
function otherEndpoints(providers: readonly string[], here: TaskQueues, run: TaskQueues): string[] {
  return providers.flatMap((provider) => {
    const [before, now] = [endpointLabel(run, provider), endpointLabel(here, provider)];
    if (before === null || before === now) return [];
    return [
      `the run was started with ${provider} at ${before}; from here its calls go to ${now ?? 'an address of this process'}`,
    ];
  });
}

/** Those of the run, whose settings have been checked, and whatever else can be called here. */
function providersHere(config: Models, hasScripted: boolean, { env }: CliContext): string[] {
  const scripted = hasScripted || (env['TAUFLOW_SCRIPTED_URL'] ?? '') !== '' ? [SCRIPTED] : [];
  const own = providersOf(config).filter((name) => name !== SCRIPTED);
  return [...new Set([...own, ...surveyProviders(env).usable, ...scripted])];
}

/** The workers of this process are of no build: where builds are used, new work goes to those. */
async function warnOfBuilds(
  { connection, namespace }: TemporalConnection,
  taskQueue: string,
  context: CliContext,
): Promise<void> {
  const build = await currentBuild(connection, namespace, taskQueue);
  if (build === null) return;
  context.log(
    `warning: new sweeps on the task queue ${taskQueue} start on build ${build.buildId} of ${build.deploymentName}, ` +
      'whose workers have to run; the worker of this process does nothing for them (another --task-queue has it work)',
  );
}
