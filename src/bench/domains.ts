/** The domains that this program knows the behaviour of. A new one is a folder with a registry, and a line here. */

import { airline } from './airline/index.ts';
import { retail } from './retail/index.ts';
import type { Tool } from './tool.ts';

/** A domain's behaviour; its data and sentences are in packs. */
export interface Domain {
  /** The tables of a pack's data, in the reference's order. */
  readonly tables: readonly string[];
  readonly tools: ReadonlyMap<string, Tool>;
}

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
