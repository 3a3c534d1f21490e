/** The domains of all benchmarks. */

import type { Domain } from './domain.ts';
import { SERVICE_DOMAIN, isServiceDomain } from './service/domain.ts';
import { domains as tauBenchDomains } from './tau-bench/domains.ts';
import { domains as tau3Domains } from './tau3/domains.ts';

export const domains: ReadonlyMap<string, Domain> = new Map([...tauBenchDomains, ...tau3Domains]);

/** @throws Error when the program has no code for the domain */
export function getDomain(name: string): Domain {
  const domain = isServiceDomain(name) ? SERVICE_DOMAIN : domains.get(name);
  if (domain === undefined) {
    const known = Array.from(domains.keys()).join(', ');
    throw new Error(`there is no domain named "${name}"; use a pack of one of these domains: ${known}`);
  }
  return domain;
}
