/** `tauflow worker`: a worker process of its own. Ends cleanly on SIGTERM: calls under way are finished first. */

import type { Command } from 'commander';
import { taskQueues } from '../wire/queues.ts';
import type { CliContext } from './context.ts';
import { ExitCode, UsageError } from './failures.ts';
import { startServices, usableProviders, workersLost } from './services.ts';

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
      process.exitCode = await work(flags, context);
    });
}

async function work(flags: Flags, context: CliContext): Promise<ExitCode> {
  const maxConcurrency = Number(flags.maxConcurrentActivities);
  if (!Number.isInteger(maxConcurrency) || maxConcurrency < 1) {
    throw new UsageError('--max-concurrent-activities must be a whole number of at least 1.');
  }
  const maxCallsPerSecond = parseRates(flags.maxLlmCallsPerSecond ?? []);
  const { installRuntime, startWorkers } = await import('../temporal/worker.ts');
  const { connect } = await import('../temporal/connection.ts');
  const { resolvePack } = await import('../packs/find.ts');
  installRuntime(context.debug ? 'INFO' : 'WARN');
  const { cwd: workDir, home, env } = context;
  const temporal = await connect({ workDir, home, env, onProgress: (message) => context.log(message) });
  const packs = await Promise.all((flags.pack ?? [undefined]).map((pack) => resolvePack(flags.env, pack, { home })));
  const services = await startServices(context, { packs });
  const providers = usableProviders(context, true);
  const workers = await startWorkers({
    connection: temporal.native,
    namespace: temporal.namespace,
    queues: taskQueues(flags.taskQueue),
    activities: services.activities,
    providers,
    maxConcurrency,
    maxCallsPerSecond,
  });
  context.log(`worker on ${temporal.address}, task queue ${flags.taskQueue}, providers ${providers.join(', ')}`);
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  try {
    await Promise.race([asked, workers.ended.then(workersLost, workersLost)]);
    context.log('ending: calls under way are being finished');
    await workers.stop();
  } finally {
    await services.close();
    await temporal.close();
  }
  return ExitCode.Done;
}

/** `openai=5` */
function parseRates(items: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    items.map((item) => {
      const [provider = '', rate = ''] = item.split('=');
      if (provider === '' || !(Number(rate) > 0)) {
        throw new UsageError(`--max-llm-calls-per-second takes pairs such as openai=5, not "${item}".`);
      }
      return [provider, Number(rate)];
    }),
  );
}
