/**
 * Endpoints: where a process sends a provider's calls. A run names the endpoint of each of its providers, and its calls
 * reach only workers with the same one: task queues have the endpoint's label in their names.
 *
 * The key is no part of a label: a run continues after its key was replaced.
 */

import { createHash } from 'node:crypto';
import { formatPackKey } from '../benchmarks/packs/index.ts';
import {
  listProviderNames,
  ownMessagesUrl,
  ProviderError,
  providerRow,
  PROVIDERS,
  usableBaseUrl,
} from './providers.ts';

export interface Endpoint {
  readonly provider: string;
  /** Label in a queue's name. */
  readonly label: string;
  /** Address to show: the base URL without user, password and query; or the pack that the scripted model plays. */
  readonly description: string;
}

export interface PlayedPack {
  readonly domain: string;
  readonly ref: { readonly digest: string };
}

/** Gives endpoints labels of the user's own: `openai=gateway,vllm=any`. */
const LABELS_VARIABLE = 'TAUFLOW_ENDPOINT_LABELS';
/** The label for calls that any worker with the provider may make. */
const ANY = 'any';

/**
 * Finds the endpoint to which a process with this environment sends a provider's calls.
 *
 * @param packs packs of the process's own scripted model, each an endpoint of its own
 * @returns one endpoint; several if the scripted model plays several packs; none if the environment has no address, or
 * lets any worker make the calls
 * @throws ProviderError for an address or labels that are invalid
 */
export function findEndpoints(
  provider: string,
  env: NodeJS.ProcessEnv,
  packs: readonly PlayedPack[],
): readonly Endpoint[] {
  const { name, baseUrl: usual } = providerRow(provider);
  const own = ownLabels(env).get(name);
  if (own === ANY) return [];
  const url = usableBaseUrl(name, env);
  const messagesUrl = ownMessagesUrl(name, env);
  if (own !== undefined) return [{ provider: name, label: own, description: `${own} (${LABELS_VARIABLE})` }];
  if (name === 'scripted' && url === null) {
    return packs.map((pack) => {
      const label = formatPackKey(pack);
      return { provider: name, label, description: `pack ${label}` };
    });
  }
  if (url === null) return [];
  const isUsual = usual !== null && toCanonicalUrl(url).href === toCanonicalUrl(usual).href;
  if (messagesUrl !== null) {
    const urls: [string, ...string[]] = isUsual ? [messagesUrl] : [messagesUrl, url];
    return [{ provider: name, label: labelOfUrls(urls), description: urls.map(shownUrl).join(', ') }];
  }
  const label = isUsual ? hostLabel(toCanonicalUrl(url)) : labelOfUrls([url]);
  return [{ provider: name, label, description: shownUrl(url) }];
}

/** Endpoints of a run, at most one per provider. */
export function endpointsOfRun(
  providers: readonly string[],
  env: NodeJS.ProcessEnv,
  pack: PlayedPack | null,
): Endpoint[] {
  return providers.flatMap((provider) => findEndpoints(provider, env, pack === null ? [] : [pack]).slice(0, 1));
}

/** Labels in the form of {@link TaskQueues.endpoints}. */
export function labelsByProvider(endpoints: readonly Endpoint[]): Record<string, string> {
  return Object.fromEntries(endpoints.map(({ provider, label }) => [provider, label]));
}

/** Returns a label: the first URL's host, for people, and enough of a digest to distinguish addresses of one host. */
function labelOfUrls(urls: readonly [string, ...string[]]): string {
  const [first, ...others] = urls.map(toCanonicalUrl) as [URL, ...URL[]];
  const digest = createHash('sha256')
    .update([first, ...others].map(({ href }) => href).join(' '))
    .digest('hex');
  return `${hostLabel(first)}-${digest.slice(0, 6)}`;
}

function hostLabel({ host }: URL): string {
  return host.replace(/[^A-Za-z0-9.-]+/g, '-');
}

/** Normalizes the spelling of an address. */
function toCanonicalUrl(url: string): URL {
  const parsed = new URL(withoutEndSlashes(url));
  if (parsed.hostname === 'localhost') parsed.hostname = '127.0.0.1';
  return parsed;
}

function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Returns the address without its query, which may contain a key. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${withoutEndSlashes(pathname)}`;
}

function ownLabels(env: NodeJS.ProcessEnv): Map<string, string> {
  const labels = new Map<string, string>();
  for (const item of (env[LABELS_VARIABLE] ?? '').split(',')) {
    if (item.trim() === '') continue;
    const [, named = '', label = ''] = /^\s*([^=\s]+)\s*=\s*([A-Za-z0-9][A-Za-z0-9._-]{0,59})\s*$/.exec(item) ?? [];
    const row = PROVIDERS.find((candidate) => listProviderNames(candidate).includes(named));
    if (row === undefined) {
      throw new ProviderError(
        'bad_label',
        `${LABELS_VARIABLE} has ${JSON.stringify(item.trim())}; write pairs such as openai=gateway, with letters, digits, ` +
          `".", "_" and "-" in the label, or openai=${ANY} where any worker may make the calls`,
      );
    }
    labels.set(row.name, label);
  }
  return labels;
}
