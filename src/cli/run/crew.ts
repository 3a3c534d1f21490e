/** What works on a run in this process: workers, and what their activities need. */

import { requireKeysOfOpenSweeps } from '../../temporal/codec/open-sweeps.ts';
import type { TemporalConnection } from '../../temporal/connection.ts';
import type { Tracing } from '../../temporal/telemetry/tracing.ts';
import type { WorkerPool } from '../../temporal/worker.ts';
import { taskQueues } from '../../wire/queues.ts';
import type { CliContext } from '../context.ts';
import { startServices, usableProviders, type ScriptedOptions, type Services } from '../services.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';

export interface Crew {
  readonly services: Services;
  readonly workers: WorkerPool;
}

/** @param scripted the scripted model that this process serves; null when the run needs none */
export async function startCrew(
  { maxConcurrency }: RunRequest,
  { taskQueue }: RunOptions,
  scripted: ScriptedOptions | null,
  temporal: TemporalConnection,
  context: CliContext,
  tracing: Tracing | null = null,
): Promise<Crew> {
  const { startWorkers } = await import('../../temporal/worker.ts');
  const { connection, namespace, keys } = temporal;
  await requireKeysOfOpenSweeps(connection, namespace, taskQueue, keys);
  const services = await startServices(context, scripted);
  try {
    const workers = await startWorkers({
      connection: temporal.native,
      namespace: temporal.namespace,
      queues: taskQueues(taskQueue),
      activities: services.activities,
      providers: usableProviders(context, scripted !== null),
      maxConcurrency,
      extras: { dataConverter: temporal.dataConverter },
      ...(tracing === null ? {} : { tracing }),
    });
    return { services, workers };
  } catch (error) {
    await services.close();
    throw error;
  }
}
