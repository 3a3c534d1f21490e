/** `tauflow worker`: a worker process. On SIGTERM, it finishes the model calls in progress and stops. */

import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { OwnAgent } from '../../agents/from-file/index.ts';
import type { RateLimits, TemporalConnection } from '../../temporal/client/index.ts';
import { DEFAULTS } from '../../benchmarks/index.ts';
import { WORKFLOW_VERSION, taskQueues, type ServedEndpoints } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { SCRIPTED } from '../../models/providers.ts';
import { version } from '../../host/surroundings.ts';

interface Flags {
  readonly taskQueue: string;
  readonly providers?: string[];
  readonly maxConcurrentActivities: string;
  readonly maxLlmCallsPerSecond?: string[];
  readonly grace: string;
  readonly env?: string;
  readonly envUrl?: string;
  readonly envOptions?: string;
  readonly pack?: string[];
  readonly deployment?: string;
  readonly buildId?: string;
  readonly makeCurrent?: boolean;
  readonly allowCommands?: boolean;
  readonly agentStrategy?: string[];
  readonly condition?: string[];
  readonly gatewayUrl?: string;
  readonly logDir?: string[];
}

export function defineWorkerCommand(worker: Command, context: CliContext): void {
  worker
    .option('--task-queue <name>', 'task queue to listen on', 'tauflow')
    .option(
      '--providers <names...>',
      'whose model calls to make (default: all whose key is set, and the scripted model)',
    )
    .option('--max-concurrent-activities <n>', 'model calls at once', '100')
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of the task queue, over all workers; openai=none: no limit',
    )
    .option('--grace <duration>', 'how long calls under way may take to end on SIGTERM', '60s')
    .option('--env <env>', `domain of the packs that --pack names (default: ${DEFAULTS.env})`)
    .option('--env-url <url>', 'environment service whose tasks the scripted model plays')
    .option('--env-options <json>', 'options of an environment service, as it describes them')
    .option(
      '--pack <pack...>',
      "packs that this worker has and the scripted model plays (default: the env's shipped pack)",
    )
    .option('--agent-strategy <file...>', 'agents of your own whose runs this worker takes part in')
    .option('--condition <file...>', 'conditions of your own that runs of this worker have')
    .option(
      '--log-dir <folder...>',
      'write run logs in these folders, or s3:// addresses, only (default: any; ./results on a remote server)',
    )
    .option('--gateway-url <url>', 'URL at which agents elsewhere reach this worker (default: loopback alone)')
    .option('--allow-commands', 'run, in this environment, the commands that schedules name for alerts')
    .addOption(new Option('--deployment <name>', 'worker deployment: runs stay on the build that they start on'))
    .addOption(new Option('--build-id <id>', 'which build of the deployment this worker is'))
    .addOption(new Option('--make-current', 'let new runs start on this build'))
    .action(async (flags: Flags) => {
      await work(await readSettings(flags, context), context);
    });
}

interface Settings {
  readonly taskQueue: string;
  /** Providers that this worker calls; null: all usable ones. */
  readonly providers: readonly string[] | null;
  readonly maxConcurrency: number;
  readonly limits: RateLimits;
  readonly graceMs: number;
  readonly gatewayUrl: string | undefined;
  readonly named: Pick<Flags, 'env' | 'envUrl' | 'envOptions'>;
  readonly packs: readonly (string | undefined)[];
  readonly agents: readonly string[];
  readonly conditions: readonly string[];
  readonly build: WorkerDeploymentVersion | null;
  readonly makeCurrent: boolean;
  /** True if alerts of schedules may run commands on this machine. */
  readonly commands: boolean;
  /**
   * Absolute paths of the log folders that this worker may write; null: any folder with a local server, otherwise
   * `results`.
   */
  readonly logDirs: readonly string[] | null;
}

/** @throws UsageError */
async function readSettings(flags: Flags, { cwd, env }: CliContext): Promise<Settings> {
  const { duration } = await import('../../evaluation/kinds.schema.ts');
  const { parseRateLimits } = await import('../../run-setup/options/index.ts');
  const { resolveLogPlace } = await import('../../run-log/index.ts');
  if (!/^[1-9]\d*$/.test(flags.maxConcurrentActivities)) {
    throw new UsageError('--max-concurrent-activities must be a whole number of at least 1.');
  }
  const grace = duration.safeParse(flags.grace);
  if (!grace.success) throw new UsageError('--grace must be a duration such as 60s or 5m.');
  return {
    taskQueue: flags.taskQueue,
    providers: flags.providers === undefined ? null : splitNames(flags.providers),
    maxConcurrency: Number(flags.maxConcurrentActivities),
    limits: parseRateLimits(splitNames(flags.maxLlmCallsPerSecond ?? [])),
    graceMs: grace.data,
    gatewayUrl: flags.gatewayUrl,
    named: flags,
    packs: flags.pack ?? [undefined],
    agents: flags.agentStrategy ?? [],
    conditions: flags.condition ?? [],
    build: readBuild(flags, env),
    makeCurrent: flags.makeCurrent ?? false,
    commands: flags.allowCommands ?? false,
    logDirs: flags.logDir?.map((folder) => resolveLogPlace(folder, cwd)) ?? null,
  };
}

/** Reads the build from flags, otherwise from the environment that Temporal's Worker Controller sets. */
function readBuild(flags: Flags, env: CliContext['env']): WorkerDeploymentVersion | null {
  const deploymentName = flags.deployment ?? env['TEMPORAL_DEPLOYMENT_NAME'];
  const buildId = flags.buildId ?? env['TEMPORAL_WORKER_BUILD_ID'];
  if (deploymentName !== undefined && buildId !== undefined) return { deploymentName, buildId };
  if (deploymentName === undefined && buildId === undefined && flags.makeCurrent === undefined) return null;
  throw new UsageError('a versioned worker needs both, --deployment NAME and --build-id ID.');
}

/** Splits names: `openai scripted` and `openai,scripted`. */
function splitNames(items: readonly string[]): string[] {
  return items.flatMap((item) => item.split(',')).filter((word) => word !== '');
}

async function work(settings: Settings, context: CliContext): Promise<void> {
  const { chooseProviders, leftToOthers, serveHealth, servedEndpoints, withHost } = await import('../../host/index.ts');
  const { resolveNamed } = await import('../../run-setup/index.ts');
  const { taskQueue, build, maxConcurrency, graceMs, commands } = settings;
  const { cwd: workDir, env } = context;
  const providers = chooseProviders(settings.providers, context);
  const agents = await loadAgents(settings.agents, workDir);
  const { loadCondition } = await import('../../agents/from-file/index.ts');
  await Promise.all(settings.conditions.map((file) => loadCondition(resolve(workDir, file))));
  const packs = await Promise.all(settings.packs.map((pack) => resolveNamed({ ...settings.named, pack }, context)));
  if (settings.providers === null) leftToOthers(env).forEach(context.log);
  const workers = { logLevel: 'INFO', providers: [], maxConcurrency } as const;
  await withHost(context, { workers }, async ({ temporal, startWorkers }) => {
    const endpoints = servedEndpoints(providers, packs, env);
    const logDirs = settings.logDirs ?? (temporal.origin === 'local' ? undefined : [resolve(workDir, 'results')]);
    const host = await startWorkers({
      taskQueue,
      queues: [taskQueues(taskQueue), ...agents.map(({ file }) => taskQueues(taskQueue, { agentDigest: file.digest }))],
      providers,
      asksAgents: true,
      endpoints,
      rateLimits: settings.limits,
      scripted: providers.includes(SCRIPTED) ? { packs } : null,
      maxConcurrency,
      graceMs,
      gatewayUrl: settings.gatewayUrl,
      agents,
      commands,
      logDirs,
      ...(build === null ? {} : { build }),
    });
    let isEnding = false;
    const { asked } = awaitInterrupt();
    const closeHealth = await serveHealth(env, {
      state: () => ({ calls: host.calls(), isEnding }),
      ask: (deadline) =>
        temporal.connection.withDeadline(deadline, () => temporal.connection.workflowService.getSystemInfo({})),
    });
    try {
      const names = packs.map(({ ref }) => ref.name);
      await introduce(settings, providers, endpoints, logDirs, names, agents, temporal, context);
      if (build !== null && settings.makeCurrent) await becomeCurrent(build, temporal, context);
      await Promise.race([asked, host.lost]);
      isEnding = true;
      context.log(endingLine(host.calls(), graceMs));
      await host.stop();
    } finally {
      await closeHealth();
    }
    context.log('ended: nothing is under way here any more');
  });
}

/** Prints a line that scripts can wait for, and a line of the worker's capabilities. */
async function introduce(
  { taskQueue, build }: Settings,
  providers: readonly string[],
  endpoints: ServedEndpoints,
  logDirs: readonly string[] | undefined,
  packs: readonly string[],
  agents: readonly OwnAgent[],
  { connection, address, namespace }: TemporalConnection,
  context: CliContext,
): Promise<void> {
  const { readRateLimit } = await import('../../temporal/client/index.ts');
  const queues = taskQueues(taskQueue);
  const limited = await Promise.all(
    providers.map(async (name) => {
      const rate = await readRateLimit(connection, namespace, queues, name);
      return rate === null ? name : `${name} (${rate} calls a second over all workers)`;
    }),
  );
  const code = build === null ? '' : `, build ${build.buildId} of ${build.deploymentName}`;
  context.log(`packs    ${packs.join(', ')}, and those that \`tauflow data list\` shows`);
  for (const { strategy, file } of agents) {
    context.log(`agent    ${strategy.name} of ${file.path} (${file.digest.slice(0, 12)})`);
  }
  context.log(`code     tauflow ${version}, workflow version ${WORKFLOW_VERSION}${code}`);
  if (logDirs !== undefined) context.log(`run logs in ${logDirs.join(', ')} only`);
  const served = providers.flatMap((name) => (endpoints[name] ?? []).map((label) => `${name} at ${label}`));
  if (served.length > 0) context.log(`calls    ${served.join(', ')}`);
  context.log(`worker on ${address}, task queue ${taskQueue}, providers ${limited.join(', ')}`);
}

/** @throws UsageError for the name of a strategy that every worker has; AgentFileError */
async function loadAgents(files: readonly string[], workDir: string): Promise<readonly OwnAgent[]> {
  const { isAgentFile } = await import('../../agents/index.ts');
  const { loadAgent } = await import('../../agents/from-file/index.ts');
  const name = files.find((file) => !isAgentFile(file));
  if (name !== undefined) {
    throw new UsageError(`--agent-strategy ${name} is not a file; a worker has the strategies of its version anyway.`);
  }
  return Promise.all(files.map((file) => loadAgent(resolve(workDir, file))));
}

async function becomeCurrent(
  build: WorkerDeploymentVersion,
  { connection, namespace }: TemporalConnection,
  context: CliContext,
): Promise<void> {
  const { makeCurrent } = await import('../../temporal/client/index.ts');
  const refusal = await makeCurrent(connection, namespace, build);
  if (refusal !== null) {
    throw new UsageError(
      `--make-current: the server refuses build ${build.buildId} of ${build.deploymentName}: ${refusal}.`,
    );
  }
  context.log(`new runs start on build ${build.buildId} from now on; runs in progress stay on theirs`);
}

function endingLine(calls: number, graceMs: number): string {
  if (calls === 0) return 'ending: no model call is under way';
  const which = calls === 1 ? 'one model call is' : `${calls} model calls are`;
  return (
    `ending: ${which} being finished, for ${graceMs / 1000} s at most; what is not done then is made again by another ` +
    'worker. Interrupt again to end at once'
  );
}
