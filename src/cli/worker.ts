/** `tauflow worker`: a worker process of its own. Ends cleanly on SIGTERM: calls under way are finished first. */

import type { Command } from 'commander';
import { taskQueues } from '../wire/queues.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './failures.ts';
import { onInterrupt } from './interrupt.ts';

interface Flags {
  readonly taskQueue: string;
  readonly maxConcurrentActivities: string;
  readonly maxLlmCallsPerSecond?: string[];
  readonly env: string;
  readonly pack?: string[];
}

export function addWorkerCommand(program: Command, context: CliContext): void {
  program
    .command('worker')
    .description('run a worker process; any number of them share the sweeps of a task queue')
    .option('--task-queue <name>', 'task queue to listen on', 'tauflow')
    .option('--max-concurrent-activities <n>', 'model calls at once', '100')
    .option('--max-llm-calls-per-second <provider=n...>', 'rate limit per provider, over all workers')
    .option('--env <env>', 'domain of the packs that the scripted model plays', 'retail')
    .option('--pack <pack...>', "packs whose tasks the scripted model plays (default: the env's shipped pack)")
    .action(async (flags: Flags) => {
      await work(flags, context);
    });
}

async function work(flags: Flags, context: CliContext): Promise<void> {
  const maxConcurrency = Number(flags.maxConcurrentActivities);
  if (!/^[1-9]\d*$/.test(flags.maxConcurrentActivities)) {
    throw new UsageError('--max-concurrent-activities must be a whole number of at least 1.');
  }
  const { startServices, usableProviders, workersLost } = await import('./services.ts');
  const maxCallsPerSecond = await parseRates(flags.maxLlmCallsPerSecond ?? []);
  const { resolvePack } = await import('../packs/find.ts');
  const { cwd: workDir, home, env } = context;
  const packs = await Promise.all((flags.pack ?? [undefined]).map((pack) => resolvePack(flags.env, pack, { home })));
  const { installRuntime, startWorkers } = await import('../temporal/worker.ts');
  const { connect } = await import('../temporal/connection.ts');
  const { requireKeysOfOpenSweeps } = await import('../temporal/codec/open-sweeps.ts');
  installRuntime(context.debug ? 'INFO' : 'ERROR');
  const temporal = await connect({ workDir, home, env, onProgress: context.log });
  try {
    await requireKeysOfOpenSweeps(temporal.connection, temporal.namespace, flags.taskQueue, temporal.keys);
    const services = await startServices(context, { packs });
    try {
      const providers = usableProviders(context, true);
      const workers = await startWorkers({
        connection: temporal.native,
        namespace: temporal.namespace,
        queues: taskQueues(flags.taskQueue),
        activities: services.activities,
        providers,
        maxConcurrency,
        maxCallsPerSecond,
        extras: { dataConverter: temporal.dataConverter },
      });
      const asked = new Promise<void>((resolve) => {
        onInterrupt(resolve);
      });
      context.log(`worker on ${temporal.address}, task queue ${flags.taskQueue}, providers ${providers.join(', ')}`);
      await Promise.race([asked, workers.ended.then(workersLost, workersLost)]);
      context.log('ending: calls under way are being finished');
      await workers.stop();
    } finally {
      await services.close();
    }
  } finally {
    await temporal.close();
  }
}

/** `openai=5` */
async function parseRates(items: readonly string[]): Promise<Record<string, number>> {
  const { PROVIDERS } = await import('../llm/providers.ts');
  const known = PROVIDERS.map(({ name }) => name);
  return Object.fromEntries(
    items.map((item) => {
      const [provider = '', rate = ''] = item.split('=');
      if (!known.includes(provider) || !(Number(rate) > 0)) {
        throw new UsageError(
          `--max-llm-calls-per-second takes pairs such as openai=5, not "${item}"; providers are: ${known.join(', ')}.`,
        );
      }
      return [provider, Number(rate)];
    }),
  );
}
