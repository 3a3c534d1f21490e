/** What a worker process needs beside Temporal: packs, model clients, the scripted model, and the activities on them. */

import { createActivities, type Activities } from '../../activities/index.ts';
import { findStrategy } from '../agents/index.ts';
import {
  AdaptiveLimits,
  CompletionStore,
  TranscriptStore,
  cachedCallModel,
  createModelCaller,
  createPricer,
  endpointOf,
  limitedCallModel,
} from '../models/index.ts';
import { ProviderError, resolveProvider, type ProviderRuntime } from '../models/providers.ts';
import type { FaultRates } from '../scripted-model/faults.ts';
import type { ScriptedModel } from '../scripted-model/index.ts';
import type { Pack } from '../packs/index.ts';
import { cachePlace } from './cache/place.ts';
import type { CliContext } from './context.ts';
import { UnreachableError, UsageError } from '../errors/index.ts';
import { createPackLookup } from './pack-lookup.ts';
import { SCRIPTED } from './run/models.ts';
import { version, versions } from './version.ts';

export interface ScriptedOptions {
  readonly packs: readonly Pack[];
  readonly latencyMs?: number;
  readonly faults?: FaultRates;
}

/** What activities may do on this machine. */
export interface WorkerPowers {
  /** Whether alerts of schedules may run commands. @default false */
  readonly commands?: boolean;
  /** Folders that run logs are written to. @default any */
  readonly logDirs?: readonly string[] | undefined;
}

export interface Services {
  readonly activities: Activities;
  readonly limits: AdaptiveLimits;
  close(): Promise<void>;
}

/**
 * Where the scripted model is: a running server's address from the environment, or a server of this process.
 */
export async function startServices(
  context: CliContext,
  scripted: ScriptedOptions | null,
  { commands = false, logDirs }: WorkerPowers = {},
): Promise<Services> {
  const { folder, maxBytes } = cachePlace(context);
  let server: ScriptedModel | null = null;
  if (scripted !== null && !isSet(context.env['TAUFLOW_SCRIPTED_URL'])) {
    const { startScriptedModel, ScriptedModelError } = await import('../scripted-model/index.ts');
    server = await startScriptedModel(scripted).catch((error: unknown) => {
      throw error instanceof ScriptedModelError ? new UsageError(error.message) : error;
    });
  }
  const runtime: ProviderRuntime = server === null ? {} : { scriptedUrl: server.url };
  const warn = (message: string) => context.log(`warning: ${message}`);
  const resolve = (provider: string) => resolveProvider(provider, context.env, runtime);
  const limits = new AdaptiveLimits();
  const callModel = cachedCallModel(
    limitedCallModel(createModelCaller(resolve), limits),
    new CompletionStore({ folder, maxBytes, warn }),
    (provider) => endpointOf(resolve(provider), version),
  );
  const activities = createActivities({
    findPack: createPackLookup({ home: context.home }, warn),
    findStrategy,
    transcripts: new TranscriptStore(),
    callModel,
    limits,
    priceCall: createPricer(warn),
    versions: versions(),
    alerts: { env: context.env, commands },
    ...(logDirs === undefined ? {} : { logDirs }),
    warn,
  });
  return {
    activities,
    limits,
    close: async () => {
      await server?.close();
    },
  };
}

/**
 * Checks, before anything starts, that this process can call the providers of a run.
 * @throws UsageError with the provider's sentence
 */
export function requireProviders(context: CliContext, providers: readonly string[]): void {
  for (const provider of new Set(providers)) {
    if (provider === SCRIPTED) continue;
    try {
      resolveProvider(provider, context.env);
    } catch (error) {
      if (error instanceof ProviderError) throw new UsageError(`${error.message}.`);
      throw error;
    }
  }
}

/** @throws UnreachableError when a worker process ends although nobody asked it to */
export function workersLost(error: unknown): never {
  const message = error instanceof Error ? error.message : 'it ended without a reason';
  throw new UnreachableError(`the worker of this process has ended (${message}); run the same command again to go on`);
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
