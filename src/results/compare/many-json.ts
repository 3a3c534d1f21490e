/** A comparison of several runs as `--json` has it: field names in snake_case. Pure. */

import { METHOD, snakeKeys } from '../log/index.ts';
import type { ManyComparison } from './many.ts';

const MANY_FORMAT_VERSION = 1;

export function manyToJson(comparison: ManyComparison): object {
  const method = `${METHOD}; p-values of all pairs corrected by Holm’s method`;
  return snakeKeys({ formatVersion: MANY_FORMAT_VERSION, method, ...comparison }) as object;
}
