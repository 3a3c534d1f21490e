/** Puts up what a sweep needs (server, workers, scripted model), starts or attaches to it, and takes all down again. */

import type { RunLog } from '../../results/run-log.ts';
import { connect, type TemporalConnection } from '../../temporal/connection.ts';
import { ensureSearchAttributes } from '../../temporal/search-attributes.ts';
import { startSweep } from '../../temporal/sweeps.ts';
import type { WorkerPool } from '../../temporal/worker.ts';
import { taskQueues } from '../../wire/queues.ts';
import type { CliContext } from '../context.ts';
import { ExitCode } from '../failures.ts';
import { startServices, usableProviders, workersLost, type ScriptedOptions, type Services } from '../services.ts';
import { followSweep, type FollowEnd } from './follow.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';

export interface Hosted {
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly log: RunLog;
  /** The scripted model that this process serves; null when the run needs none. */
  readonly scripted: ScriptedOptions | null;
  /** The command that takes the run up again. */
  readonly resume: string;
}

export async function hostSweep(hosted: Hosted, context: CliContext): Promise<FollowEnd | 'detached'> {
  const { request, options, log } = hosted;
  for (const note of request.notes) context.log(note);
  context.log(`run ${log.runId}, log in ${log.paths.folder}`);
  const hasWorker = options.worker && !options.detach;
  // The SDK's runtime is set up once, before the first connection.
  if (hasWorker) (await import('../../temporal/worker.ts')).installRuntime(context.debug ? 'INFO' : 'WARN');
  const { cwd: workDir, home, env } = context;
  const temporal = await connect({ workDir, home, env, onProgress: (message) => context.log(message) });
  let crew: Crew | null = null;
  try {
    if (hasWorker) crew = await startCrew(hosted, temporal, context);
    const attributes = await ensureSearchAttributes(temporal.connection, temporal.namespace);
    if (attributes.kind === 'unavailable') context.log(`warning: ${attributes.reason}`);
    const { run, config, plan, maxConcurrency, maxCostUsd } = request;
    const queues = taskQueues(options.taskQueue);
    const indexed = attributes.kind === 'ready';
    const input = { run, config, plan, maxConcurrency, maxCostUsd, queues, indexed };
    const { handle, attached } = await startSweep(temporal.client, input);
    context.log(`${attached ? 'attached to the running sweep' : 'sweep started'}; after any interruption, go on with:`);
    context.log(`  ${hosted.resume}`);
    if (options.detach) return 'detached';
    return await followSweep(
      {
        temporal,
        handle,
        log,
        interrupted: interruption(context),
        ...(crew === null ? {} : { workersLost: crew.workers.ended.then(workersLost, workersLost) }),
      },
      context,
    );
  } finally {
    await crew?.workers.stop();
    await crew?.services.close();
    await temporal.close();
  }
}

interface Crew {
  readonly services: Services;
  readonly workers: WorkerPool;
}

async function startCrew(hosted: Hosted, temporal: TemporalConnection, context: CliContext): Promise<Crew> {
  const { startWorkers } = await import('../../temporal/worker.ts');
  const services = await startServices(context, hosted.scripted);
  const workers = await startWorkers({
    connection: temporal.native,
    namespace: temporal.namespace,
    queues: taskQueues(hosted.options.taskQueue),
    activities: services.activities,
    providers: usableProviders(context, hosted.scripted !== null),
    maxConcurrency: hosted.request.maxConcurrency,
  });
  return { services, workers };
}

/** The first Ctrl-C leaves in good order, the second at once; the sweep goes on from where it was either way. */
async function interruption(context: CliContext): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  context.log('interrupted: model calls under way are being finished; interrupt again to leave at once');
  for (const signal of signals) process.once(signal, () => process.exit(ExitCode.Interrupted));
}
