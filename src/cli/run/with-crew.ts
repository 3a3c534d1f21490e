/** A connection and, where this process works, its workers, for as long as a command takes that starts one workflow. */

import { connect, type TemporalConnection } from '../../temporal/client/index.ts';
import type { TaskQueues } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { requireProviders, type ScriptedOptions } from '../services.ts';
import { startTelemetry } from '../telemetry.ts';
import { startCrew, type Crew, type Work } from './crew.ts';
import { hasWorker } from './host.ts';
import type { RunOptions } from './options.schema.ts';

export interface Crewed {
  readonly options: RunOptions;
  /** Whose models are called: they must be usable here where this process works. */
  readonly providers: readonly string[];
  readonly work: Work;
  /** The scripted model that this process serves; null where none is needed. */
  readonly scripted: ScriptedOptions | null;
}

/**
 * Takes all down again, in reverse order, however the work ends.
 * @param work starts the workers itself, when it has seen to what can be refused, and with the queues of a workflow that it
 *   attaches to; they are null where this process has none
 * @throws UsageError before anything is started when a provider cannot be used
 */
export async function withCrew<T>(
  { options, providers, work: needed, scripted }: Crewed,
  context: CliContext,
  work: (temporal: TemporalConnection, start: (attached?: TaskQueues | null) => Promise<Crew | null>) => Promise<T>,
): Promise<T> {
  if (hasWorker(options)) requireProviders(context, providers);
  // The SDK's runtime is set up once, before the first connection.
  const { client, tracing, stop } = await startTelemetry(context, hasWorker(options) ? 'ERROR' : null);
  try {
    const { cwd: workDir, home, env } = context;
    const temporal = await connect({ workDir, home, env, onProgress: context.log, client });
    let crew: Crew | null = null;
    const start = async (attached: TaskQueues | null = null) => {
      if (hasWorker(options))
        crew = await startCrew({ ...needed, attached }, options, scripted, temporal, context, tracing);
      return crew;
    };
    try {
      return await work(temporal, start);
    } finally {
      await leave(crew);
      await temporal.close();
    }
  } finally {
    await stop();
  }
}

async function leave(crew: Crew | null): Promise<void> {
  await crew?.workers.stop();
  await crew?.services.close();
}
