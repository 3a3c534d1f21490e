/** The registry of domains. A new one is a folder and a line here. */

import { airline } from './airline/index.ts';
import { retail } from './retail/index.ts';
import type { Domain } from './domain.ts';

export const domains: ReadonlyMap<string, Domain> = new Map([
  ['retail', retail],
  ['airline', airline],
]);

/** @throws Error when the program has no code for the domain */
export function getDomain(name: string): Domain {
  const domain = domains.get(name);
  if (domain === undefined) {
    const known = Array.from(domains.keys()).join(', ');
    throw new Error(`there is no domain named "${name}"; use a pack of one of these domains: ${known}`);
  }
  return domain;
}
