/** Opens an environment service. Each kind is loaded when the first one is opened. */

import { EnvironmentServiceError, type EnvironmentService, type ServiceSource } from './port.ts';

export interface ServiceDeps {
  /** Environment variables: `TAUFLOW_ENV_KEY` and those of adapters. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws UsageError for an unusable source; EnvironmentServiceError if no service answers */
export async function openService(source: ServiceSource, { env }: ServiceDeps): Promise<EnvironmentService> {
  switch (source.kind) {
    case 'url': {
      const { environmentKey, openHttpService, requireEnvironmentUrl } = await import('./http.ts');
      requireEnvironmentUrl('--env-url', source.url);
      const place = { url: source.url, key: environmentKey(env) };
      return await openHttpService(place).catch(async (error: unknown) => {
        const isAnswered = error instanceof EnvironmentServiceError && error.fault !== 'outage';
        const found = isAnswered
          ? await (await import('./openenv.ts')).findOpenEnv(place, source.replays === true)
          : null;
        if (found === null) throw error;
        return found;
      });
    }
    case 'folder':
      return await (await import('../own/index.ts')).openFolder(source.path);
    case 'adapter':
      return await (await import('./adapter.ts')).startTau2(env);
  }
}
