/** The benchmarks' names, and their domains. */

import type { Domain } from './domain.ts';
import { SERVICE_DOMAIN, isServiceDomain } from './service/domain.ts';
import { domains as tauBenchDomains } from './tau-bench/domains.ts';
import { domains as tau3Domains } from './tau3/domains.ts';

/** Names for `--benchmark`; the first is the default. */
export const BENCHMARK_NAMES = ['tau-bench', 'tau3'] as const;

export const domains: ReadonlyMap<string, Domain> = new Map([...tauBenchDomains, ...tau3Domains]);

/** The domain of a run that names none, and the split and steps of tau-bench's runs, as of its `run.py`. */
export const DEFAULTS = { env: 'retail', taskSplit: 'test', maxSteps: 30 } as const;

/** @throws Error when the program has no code for the domain */
export function getDomain(name: string): Domain {
  const domain = isServiceDomain(name) ? SERVICE_DOMAIN : domains.get(name);
  if (domain === undefined) {
    const known = Array.from(domains.keys()).join(', ');
    throw new Error(`there is no domain named "${name}"; use a pack of one of these domains: ${known}`);
  }
  return domain;
}
