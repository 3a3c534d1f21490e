/** The workers of a process that starts one run, fork or judge, for its queues and providers. */

import { SCRIPTED } from '../models/providers.ts';
import { currentBuild } from '../temporal/client/index.ts';
import {
  AGENT_SERVICE,
  endpointLabel,
  listCalledProviders,
  type EvaluationConfig,
  type TaskQueues,
} from '../evaluation/index.ts';
import type { ProcessHost, WorkerHost, WorkerNeeds } from './host.ts';
import { surveyProviders } from './providers.ts';
import { servedEndpoints, withEndpoints } from './queues.ts';

type Models = Pick<EvaluationConfig, 'agentModel' | 'roleModels' | 'userModel'> &
  Partial<Pick<EvaluationConfig, 'strategy'>>;

/** The parts of a run that decide which workers it needs. */
interface RunWork extends Pick<WorkerNeeds, 'taskQueue' | 'rateLimits' | 'maxConcurrency' | 'scripted' | 'gatewayUrl'> {
  readonly config: Models;
  /** Queues of the run in this process's environment. */
  readonly queues: TaskQueues;
  /** Folders for the work; the workers of this process write to no others. */
  readonly logDirs: readonly string[];
}

/** @param attached queues of the run that this process attaches to, or null */
export async function startRunWorkers(
  host: ProcessHost,
  { config, queues, scripted, ...work }: RunWork,
  attached: TaskQueues | null = null,
): Promise<WorkerHost> {
  const { env, log } = host.surroundings;
  const needed = listCalledProviders(config);
  const providers = listProviders(needed, scripted !== null, env);
  let endpoints = servedEndpoints(providers, scripted?.packs ?? [], env);
  if (attached !== null) {
    for (const line of describeMovedEndpoints(needed, queues, attached)) log(`warning: ${line}`);
    // A person who resumes a run wants its calls made from here.
    endpoints = withEndpoints(endpoints, attached, needed);
  }
  await warnOfBuilds(host, queues.main);
  return host.startWorkers({
    ...work,
    queues: attached === null ? [queues] : [queues, attached],
    providers,
    asksAgents: config.strategy === AGENT_SERVICE,
    endpoints,
    scripted,
  });
}

/** Returns a sentence for each provider whose calls go to another endpoint than at the start of the run. */
function describeMovedEndpoints(providers: readonly string[], here: TaskQueues, run: TaskQueues): string[] {
  return providers.flatMap((provider) => {
    const [before, now] = [endpointLabel(run, provider), endpointLabel(here, provider)];
    if (before === null || before === now) return [];
    return [
      `the run was started with ${provider} at ${before}; from here its calls go to ${now ?? 'an address of this process'}`,
    ];
  });
}

/** Lists the run's providers, whose settings were checked, and all others that this process can call. */
function listProviders(needed: readonly string[], hasScripted: boolean, env: NodeJS.ProcessEnv): string[] {
  const scripted = hasScripted || (env['TAUFLOW_SCRIPTED_URL'] ?? '') !== '' ? [SCRIPTED] : [];
  const own = needed.filter((name) => name !== SCRIPTED);
  return [...new Set([...own, ...surveyProviders(env).usable, ...scripted])];
}

/** Warns if other workers of the queue have builds. New work goes to them, because this process's workers have none. */
async function warnOfBuilds({ temporal, surroundings }: ProcessHost, taskQueue: string): Promise<void> {
  const build = await currentBuild(temporal.connection, temporal.namespace, taskQueue);
  if (build === null) return;
  surroundings.log(
    `warning: new runs on the task queue ${taskQueue} start on build ${build.buildId} of ${build.deploymentName}, ` +
      'whose workers have to run; the worker of this process does nothing for them (another --task-queue has it work)',
  );
}
