/** What works on a run in this process: workers, and what their activities need. */

import type { TemporalConnection } from '../../temporal/connection.ts';
import { currentBuild } from '../../temporal/deployments.ts';
import type { Tracing } from '../../temporal/telemetry/tracing.ts';
import type { WorkerPool } from '../../temporal/worker.ts';
import { taskQueues } from '../../wire/queues.ts';
import type { CliContext } from '../context.ts';
import { applyRateLimits } from '../rate-limits.ts';
import { startServices, usableProviders, type ScriptedOptions, type Services } from '../services.ts';
import { checkTaskQueue } from '../task-queue.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';

export interface Crew {
  readonly services: Services;
  readonly workers: WorkerPool;
}

/** @param scripted the scripted model that this process serves; null when the run needs none */
export async function startCrew(
  { maxConcurrency }: Pick<RunRequest, 'maxConcurrency'>,
  { taskQueue, maxLlmCallsPerSecond }: Pick<RunOptions, 'taskQueue' | 'maxLlmCallsPerSecond'>,
  scripted: ScriptedOptions | null,
  temporal: TemporalConnection,
  context: CliContext,
  tracing: Tracing | null = null,
): Promise<Crew> {
  const { startWorkers } = await import('../../temporal/worker.ts');
  await checkTaskQueue(temporal, taskQueue);
  await warnOfBuilds(temporal, taskQueue, context);
  const maxCallsPerSecond = await applyRateLimits(temporal, taskQueue, maxLlmCallsPerSecond, context.log);
  const services = await startServices(context, scripted);
  try {
    const workers = await startWorkers({
      connection: temporal.native,
      namespace: temporal.namespace,
      queues: taskQueues(taskQueue),
      activities: services.activities,
      providers: usableProviders(context, scripted !== null),
      maxConcurrency,
      maxCallsPerSecond,
      extras: { dataConverter: temporal.dataConverter },
      ...(tracing === null ? {} : { tracing }),
    });
    return { services, workers };
  } catch (error) {
    await services.close();
    throw error;
  }
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
