/** tau-bench's domains. A new one is a folder and a line here. */

import type { Domain } from '../domain.ts';
import { airline } from './airline/index.ts';
import { retail } from './retail/index.ts';

export const domains: ReadonlyMap<string, Domain> = new Map([
  ['retail', retail],
  ['airline', airline],
]);
