/** The domains that this program knows the behaviour of. A new one is a folder with a registry, and a line here. */

import { airline } from './airline/index.ts';
import { retail } from './retail/index.ts';
import type { PyDict } from './python/index.ts';
import type { Shape, StrayId } from './shape.ts';
import type { Tool } from './tool.ts';

/**
 * One way for a customer to say who they are: paths into their record (`name.first_name`; `id` is the record's key),
 * all of which the agent needs.
 */
export type Identity = readonly string[];

export interface AuditDomain {
  /** The table of the people whom tasks are about. */
  readonly people: string;
  /** Any of them is enough for the domain's look-up tools. */
  readonly identities: readonly Identity[];
  /** Tools that change data. A call of another tool counts as a write as well when it was seen to write. */
  readonly writes: readonly string[];
}

/** A domain's behaviour; its data and sentences are in packs. */
export interface Domain {
  /** The tables of a pack's data, in the reference's order; one of them is `users`, whom tasks are about. */
  readonly tables: readonly string[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** What the records of a table look like, so that a pack's mistakes are told; a table may go undescribed. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Finds ids in the tables that lead nowhere, for warnings about a pack. */
  readonly strayIds?: (tables: PyDict) => readonly StrayId[];
  /** What the audit of tasks has to be told; everything else it learns from the data and the replay. */
  readonly audit?: AuditDomain;
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
