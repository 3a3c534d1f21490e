/** Every catalogue there is, by domain. A new domain is a folder beside these and a line here. */

import type { StrategyOptions } from '../../port.ts';
import { AIRLINE } from './airline/index.ts';
import { domainCatalogue, type DomainDefinition } from './domain.ts';
import { RETAIL } from './retail/index.ts';
import type { Catalogue } from './types.ts';

const DOMAINS: Readonly<Record<string, DomainDefinition>> = { retail: RETAIL, airline: AIRLINE };

/** Domains that have commands. */
export const catalogueDomains: readonly string[] = Object.keys(DOMAINS);

const made = new Map<string, Catalogue>();

/**
 * The domain's commands as a run has them: with the defects that it brings back. Equal options give one and the same
 * object.
 * @throws Error for a domain without commands, which the strategy does not offer itself for
 */
export function catalogueFor(domain: string, options: Pick<StrategyOptions, 'compat' | 'asOfVersion'>): Catalogue {
  const key = [domain, options.asOfVersion ?? '', ...[...(options.compat ?? [])].sort()].join(' ');
  const known = made.get(key);
  if (known !== undefined) return known;
  const definition = Object.hasOwn(DOMAINS, domain) ? DOMAINS[domain] : undefined;
  if (definition === undefined) throw new Error(`FastWorkflow has no commands for the domain ${domain}`);
  const catalogue = domainCatalogue(definition, options);
  made.set(key, catalogue);
  return catalogue;
}

/** The domain's commands without any defect. */
export function catalogueOf(domain: string): Catalogue {
  return catalogueFor(domain, {});
}

export const catalogues: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  catalogueDomains.map((domain) => [domain, catalogueOf(domain)]),
);
