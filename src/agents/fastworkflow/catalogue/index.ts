/** Every catalogue there is, by domain. A new domain is a folder beside `retail/` and a line here. */

import { createCatalogue } from './catalogue.ts';
import { LOOKUPS } from './retail/lookups.ts';
import { WRITES } from './retail/writes.ts';
import type { Catalogue } from './types.ts';

export const catalogues: Readonly<Record<string, Catalogue>> = {
  retail: createCatalogue([...LOOKUPS, ...WRITES]),
};

/** @throws Error for a domain without commands, which the strategy does not offer itself for */
export function catalogueOf(domain: string): Catalogue {
  const catalogue = Object.hasOwn(catalogues, domain) ? catalogues[domain] : undefined;
  if (catalogue === undefined) throw new Error(`FastWorkflow has no commands for the domain ${domain}`);
  return catalogue;
}
