/** Finds the environment service that a command line names. */

import { resolve } from 'node:path';
import { UsageError } from '../../errors/index.ts';
import { isServiceDomain, splitDomain } from './domain.ts';
import type { ServiceChoice } from './pack.ts';

/** Adapters that come with Tauflow. */
const ADAPTERS: readonly string[] = ['tau2'];

export interface ServiceFlags {
  readonly env?: string | undefined;
  /** Folder of the benchmark that the run recorded. */
  readonly pack?: string | undefined;
  readonly url?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly replays?: boolean | undefined;
}

/** True for `./my-tasks`, and for any path that contains a folder. */
function isFolderPath(env: string): boolean {
  return /[\\/]/.test(env);
}

/**
 * @returns null if the flags name no service
 * @throws UsageError for a service without a known address, and for a service's options without a service
 */
export function chooseService(
  { env, pack, url, options = {}, replays = false }: ServiceFlags,
  cwd = process.cwd(),
): ServiceChoice | null {
  if (replays && url === undefined) {
    throw new UsageError('--env-replays is for an environment service at --env-url; give its URL, or leave it out.');
  }
  const hasService = url !== undefined || (env !== undefined && (isFolderPath(env) || isServiceDomain(env)));
  if (!hasService && Object.keys(options).length > 0) {
    throw new UsageError('--env-options is for environment services; name one with --env-url, or leave it out.');
  }
  if (url !== undefined) {
    if (pack !== undefined) throw new UsageError('--pack is for packs on disk; leave it out beside --env-url.');
    return { source: { kind: 'url', url, replays: replays || undefined }, env: env ?? null, options };
  }
  if (env === undefined) return null;
  if (isFolderPath(env)) return { source: { kind: 'folder', path: resolve(cwd, env) }, env: null, options };
  if (!isServiceDomain(env)) return null;
  if (pack !== undefined) return { source: { kind: 'folder', path: resolve(cwd, pack) }, env, options };
  const name = splitDomain(env).service ?? '';
  if (ADAPTERS.includes(name)) return { source: { kind: 'adapter', name }, env, options };
  throw new UsageError(`the env ${env} is a domain of the environment service ${name}; give its --env-url.`);
}
