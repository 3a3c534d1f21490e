/** Injected API faults: which request meets which is decided by its content, so that a run can be repeated. */

import { drawUnit } from './random.ts';

/** Chances in [0, 1] per request; those of failing together at most 1. */
export interface FaultRates {
  /** 429 with `Retry-After: 0` or `1`. @default 0 */
  readonly rateLimit?: number;
  /** 500. @default 0 */
  readonly serverError?: number;
  /** The connection is reset before an answer. @default 0 */
  readonly reset?: number;
  /** No answer until the client goes away. @default 0 */
  readonly hang?: number;
  /** 200 with a body that breaks off. @default 0 */
  readonly malformedBody?: number;
  /**
   * 200, and the arguments in the reply are no JSON: of replies that carry arguments, which other faults do not touch.
   * The same requests meet it in every run, because it changes what the episode comes to.
   * @default 0
   */
  readonly malformedArguments?: number;
  /**
   * How many times at most one request is failed, however often it comes: a client that retries so often is answered.
   * `Infinity` makes a rate of 1 mean never.
   * @default 2
   */
  readonly maxPerRequest?: number;
}

const FAULT_KINDS = ['rateLimit', 'serverError', 'reset', 'hang', 'malformedBody'] as const;
/** Faults of a request that a client sees and may retry. */
export type FaultKind = (typeof FAULT_KINDS)[number];
/** All that is counted. */
export const COUNTED_FAULTS = [...FAULT_KINDS, 'malformedArguments'] as const;
export type CountedFault = (typeof COUNTED_FAULTS)[number];

const MAX_PER_REQUEST = 2;

/** @throws RangeError naming the rate that is out of range */
export function checkFaultRates(rates: FaultRates): void {
  for (const kind of COUNTED_FAULTS) {
    const rate = rates[kind] ?? 0;
    if (rate >= 0 && rate <= 1) continue;
    throw new RangeError(`the fault rate ${kind} of the scripted model is ${rate}; give a number from 0 to 1.`);
  }
  const sum = FAULT_KINDS.reduce((total, kind) => total + (rates[kind] ?? 0), 0);
  if (sum > 1 + 1e-9) {
    throw new RangeError(`the fault rates of the scripted model add up to ${sum}; keep their sum at 1 or below.`);
  }
}

/**
 * @param digest of the request's body
 * @param seen how many times the same body came before
 */
export function drawFault(rates: FaultRates, seed: number, digest: string, seen: number): FaultKind | undefined {
  if (seen >= (rates.maxPerRequest ?? MAX_PER_REQUEST)) return undefined;
  let draw = drawUnit(`fault ${seed} ${digest} ${seen}`);
  for (const kind of FAULT_KINDS) {
    const rate = rates[kind] ?? 0;
    if (draw < rate) return kind;
    draw -= rate;
  }
  return undefined;
}

/** Seconds, as a 429 tells them. */
export function retryAfterSeconds(seed: number, digest: string, seen: number): 0 | 1 {
  return drawUnit(`retry-after ${seed} ${digest} ${seen}`) < 0.5 ? 0 : 1;
}
