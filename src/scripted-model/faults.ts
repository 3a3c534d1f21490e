/** Injected API faults. A request's content determines its fault, so that a run can be repeated. */

import { drawFraction } from './case-code.ts';
import type { ScriptedReply } from './reply.ts';

/** Rates of faults per request, in [0, 1]; their sum is at most 1. */
export interface FaultRates {
  /** Rate of status 429 with `Retry-After: 0` or `1`. @default 0 */
  readonly rateLimit?: number;
  /** Rate of status 500. @default 0 */
  readonly serverError?: number;
  /** Rate of connections that are reset before an answer. @default 0 */
  readonly reset?: number;
  /** Share of requests without an answer until the client disconnects. @default 0 */
  readonly hang?: number;
  /** Rate of status 200 with an incomplete body. @default 0 */
  readonly malformedBody?: number;
  /**
   * Share of replies with arguments that are not JSON. The same replies have them in every run, because they change the
   * episode's result.
   * @default 0
   */
  readonly malformedArguments?: number;
  /** Most failures of one request; `Infinity` makes a rate of 1 permanent. @default 2 */
  readonly maxPerRequest?: number;
}

const FAULT_KINDS = ['rateLimit', 'serverError', 'reset', 'hang', 'malformedBody'] as const;
/** Kinds of faults that a client sees and may retry. */
export type InjectedFault = (typeof FAULT_KINDS)[number];
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

/** @param digest digest of the request's body @param seen number of earlier requests with the same body */
export function drawFault(rates: FaultRates, seed: number, digest: string, seen: number): InjectedFault | undefined {
  if (seen >= (rates.maxPerRequest ?? MAX_PER_REQUEST)) return undefined;
  let draw = drawFraction(`fault ${seed} ${digest} ${seen}`);
  for (const kind of FAULT_KINDS) {
    const rate = rates[kind] ?? 0;
    if (draw < rate) return kind;
    draw -= rate;
  }
  return undefined;
}

/** Returns the seconds for the header `Retry-After`. */
export function retryAfterSeconds(seed: number, digest: string, seen: number): 0 | 1 {
  return drawFraction(`retry-after ${seed} ${digest} ${seen}`) < 0.5 ? 0 : 1;
}

/**
 * True if a request's reply gets malformed arguments, which models sometimes write. It depends only on the request's
 * content, not on the number of attempts, because it changes the episode's result.
 * @param rate chance in [0, 1]
 * @param digest digest of the request's body
 */
export function drawsMalformedArguments(rate: number, seed: number, digest: string): boolean {
  return drawFraction(`arguments ${seed} ${digest}`) < rate;
}

/**
 * Cuts the last brace off the arguments of a reply: of a tool call, of a tool that FastWorkflow's agent names, or of an
 * action as text.
 * @returns undefined if the reply has no arguments
 */
export function withMalformedArguments(reply: ScriptedReply): ScriptedReply | undefined {
  const { toolCall, content } = reply;
  if (toolCall !== undefined) {
    return { ...reply, toolCall: { ...toolCall, arguments: withoutLastBrace(toolCall.arguments) } };
  }
  if (reply.role !== 'agent' || content === null || !/next_tool_args|^Action:|^<\w+>$/m.test(content)) return undefined;
  return { ...reply, content: withoutLastBrace(content) };
}

export function withoutLastBrace(json: string): string {
  const at = json.lastIndexOf('}');
  return at < 0 ? json : json.slice(0, at) + json.slice(at + 1);
}
