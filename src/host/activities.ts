/** The activities of a worker process, with their packs, model clients, and scripted model. */

import { createActivities, type PackLookup } from '../../activities/index.ts';
import type { Activities } from '../orchestration/index.ts';
import { findStrategy } from '../agents/index.ts';
import {
  AdaptiveLimits,
  CompletionStore,
  TranscriptStore,
  cachedCallModel,
  cachedForwardCall,
  createForwarder,
  createModelCaller,
  createPassThrough,
  createPricer,
  keepPricesIn,
  toEndpoint,
  forwardReplySchema,
  replySchema,
  limitedCallModel,
  type CallModel,
} from '../models/index.ts';
import { resolveProvider, type ProviderRuntime } from '../models/providers.ts';
import type { ScriptedModel, ScriptedModelOptions } from '../scripted-model/index.ts';
import { loadPackByRef, type PackPlaces } from '../benchmarks/packs/index.ts';
import { agentKey, lazyGateway } from '../agent-service/index.ts';
import { cachePlace } from './completion-cache.ts';
import { createLogStores } from '../run-log/store/index.ts';
import { version, readVersions, type Surroundings } from './surroundings.ts';

export type ScriptedOptions = Pick<ScriptedModelOptions, 'packs' | 'latencyMs' | 'faults'>;

/** Permissions of activities on this machine. */
export interface WorkerPowers {
  /** True if alerts of schedules may run commands. @default false */
  readonly commands?: boolean;
  /** Folders for run logs. @default any */
  readonly logDirs?: readonly string[] | undefined;
  /** Base URL of the gateway for agents that run elsewhere. @default the environment's, otherwise on loopback */
  readonly gatewayUrl?: string | undefined;
}

export interface HostedActivities {
  readonly activities: Activities;
  readonly limits: AdaptiveLimits;
  close(): Promise<void>;
}

/**
 * Creates the activities. Starts the scripted model in this process, unless `TAUFLOW_SCRIPTED_URL` names a running one.
 * @param traceCalls wraps every model call, also a call that the response cache answers
 */
export async function startActivities(
  context: Surroundings,
  scripted: ScriptedOptions | null,
  { commands = false, logDirs, gatewayUrl }: WorkerPowers = {},
  traceCalls: (callModel: CallModel) => CallModel = (callModel) => callModel,
): Promise<HostedActivities> {
  const { folder, maxBytes } = cachePlace(context);
  let server: ScriptedModel | null = null;
  if (scripted !== null && !isSet(context.env['TAUFLOW_SCRIPTED_URL'])) {
    const { startScriptedModel } = await import('../scripted-model/index.ts');
    server = await startScriptedModel(scripted);
  }
  const runtime: ProviderRuntime = server === null ? {} : { scriptedUrl: server.url };
  keepPricesIn(context.home);
  const warn = (message: string) => context.log(`warning: ${message}`);
  const resolve = (provider: string) => resolveProvider(provider, context.env, runtime);
  const limits = new AdaptiveLimits();
  const findEndpoint = (provider: string) => toEndpoint(resolve(provider), version);
  const callModel = traceCalls(
    cachedCallModel(
      limitedCallModel(createModelCaller(resolve), limits),
      new CompletionStore({ schema: replySchema, folder, maxBytes, warn }),
      findEndpoint,
    ),
  );
  const forwardCall = cachedForwardCall(
    limitedCallModel(createForwarder(resolve), limits),
    new CompletionStore({ schema: forwardReplySchema, folder, maxBytes, warn }),
    findEndpoint,
  );
  const gateway = lazyGateway(context.env, createPassThrough(resolve), gatewayUrl);
  const activities = createActivities({
    findPack: createPackLookup({ home: context.home, environ: context.env }, warn),
    findStrategy,
    transcripts: new TranscriptStore(),
    callModel,
    forwardCall,
    gateway: gateway.open,
    agentKey: agentKey(context.env),
    limits,
    priceCall: createPricer(warn),
    versions: readVersions(),
    alerts: { env: context.env, commands },
    ...(logDirs === undefined ? {} : { logDirs }),
    openStore: createLogStores({ home: context.home, env: context.env }),
    warn,
  });
  return {
    activities,
    limits,
    close: async () => {
      await gateway.close();
      await server?.close();
    },
  };
}

/**
 * @param warn called once for each missing pack, because its attempts are repeated until a worker with the pack takes
 * them
 */
function createPackLookup(places: PackPlaces, warn: (message: string) => void): PackLookup {
  const missed = new Set<string>();
  return async (ref) => {
    const pack = await loadPackByRef(ref, places);
    if (pack === undefined && !missed.has(ref.digest)) {
      missed.add(ref.digest);
      warn(
        `a run needs the pack ${ref.name} with digest ${ref.digest.slice(0, 12)}, which is not here; its work is ` +
          'left to workers that have it. Import it with `npx tauflow data import`, or start this worker with --pack',
      );
    }
    return pack;
  };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
