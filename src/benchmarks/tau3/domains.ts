/** The registry of τ³-bench's domains, named apart from tau-bench's. */

import { airline } from './airline/index.ts';
import type { Tau3Domain } from './domain.ts';
import { retail } from './retail/index.ts';
import { telecom } from './telecom/index.ts';

export const tau3Domains: ReadonlyMap<string, Tau3Domain> = new Map(
  [retail, airline, telecom].map((domain) => [domain.name, domain]),
);
