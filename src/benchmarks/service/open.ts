/** Opens an environment service. Each kind is loaded when the first one is opened. */

import { UsageError } from '../../errors/index.ts';
import type { EnvironmentService, ServiceSource } from './port.ts';

export interface ServiceDeps {
  /** Environment variables: `TAUFLOW_ENV_KEY` and those of adapters. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws UsageError for a service that is not there, or is none; one sentence */
export function openService(source: ServiceSource, _deps: ServiceDeps): Promise<EnvironmentService> {
  switch (source.kind) {
    case 'url':
      return Promise.reject(new UsageError(`${source.url}: this version asks no environment over HTTP.`));
    case 'folder':
      return Promise.reject(new UsageError(`${source.path}: this version runs no benchmark from a folder.`));
    case 'adapter':
      return Promise.reject(new UsageError(`this version starts no environment ${source.name}.`));
  }
}
