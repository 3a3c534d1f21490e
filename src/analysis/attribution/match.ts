/** Which of the agent's calls stands for which write of the ground truth. */

import { domains } from '../../bench/domains.ts';
import type { EnvData } from '../../bench/environment.ts';
import { hashableRepr } from '../../bench/python/repr.ts';
import { isDict, type PyDict } from '../../bench/python/value.ts';
import { diffValues } from '../../bench/state-diff.ts';
import type { Action } from '../../bench/types.ts';
import { isWrite, type Call, type Write } from './calls.ts';

/** A write of the ground truth, and the agent's call that stands for it. */
export type Pair = { readonly truth: Write } & (
  { readonly kind: 'missing' } | { readonly kind: 'identical' | 'arguments' | 'tool'; readonly call: Call }
);

export interface Matching {
  /** One for each write of the ground truth, in its order. */
  readonly pairs: readonly Pair[];
  /** The agent's writes that stand for none, in their order. */
  readonly extras: readonly Write[];
}

interface Candidate {
  readonly kind: 'identical' | 'arguments' | 'tool';
  readonly call: Call;
  readonly truth: Write;
  /** By which the closest are taken first, field by field. */
  readonly order: readonly number[];
}

/**
 * Pairs each call and each write at most once, the closest first: equal ones; those of one tool on one record; of one
 * tool on another record, unless most of the arguments are others too; of another tool on one record. A call that the
 * tool refused stands for a write where no call that did something is as close.
 */
export function matchCalls(data: EnvData, agent: readonly Call[], truth: readonly Call[]): Matching {
  const wanted = truth.filter(isWrite);
  const writes = writeNames(data, [...agent, ...wanted]);
  const tools = domains.get(data.domain)?.tools;
  const attempts = agent.filter(
    (call) => isWrite(call) || writes.has(call.action.name) || tools?.has(call.action.name) !== true,
  );
  const candidates = wanted
    .flatMap((write, at) => attempts.flatMap((call) => candidate(data, call, write, at)))
    .sort((a, b) => compareOrders(a.order, b.order));
  const pairOf = new Map<Write, Candidate>();
  const taken = new Set<Call>();
  for (const found of candidates) {
    if (pairOf.has(found.truth) || taken.has(found.call)) continue;
    pairOf.set(found.truth, found);
    taken.add(found.call);
  }
  return {
    pairs: wanted.map((write): Pair => {
      const found = pairOf.get(write);
      return found === undefined
        ? { kind: 'missing', truth: write }
        : { kind: found.kind, truth: write, call: found.call };
    }),
    extras: agent.filter(isWrite).filter((call) => !taken.has(call)),
  };
}

/** The values of an action's arguments that are a record's key in some table, by argument. */
export function recordKeys(data: EnvData, { kwargs }: Action): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [name, value] of kwargs) {
    if (typeof value === 'string' && isKey(data, value)) keys.set(name, value);
  }
  return keys;
}

function isKey(data: EnvData, value: string): boolean {
  for (const records of data.tables.values()) if (isDict(records) && records.has(value)) return true;
  return false;
}

/** Tools that change data: those that the domain names, and those that were seen to. */
function writeNames(data: EnvData, calls: readonly Call[]): ReadonlySet<string> {
  const named = domains.get(data.domain)?.audit?.writes ?? [];
  return new Set([...named, ...calls.filter(isWrite).map(({ action }) => action.name)]);
}

function candidate(data: EnvData, call: Call, truth: Write, at: number): Candidate[] {
  const given = call.action.kwargs;
  const wanted = truth.action.kwargs;
  const keys = Array.from(recordKeys(data, truth.action).entries());
  const refused = isWrite(call) ? 0 : 1;
  // A later write decides what the data are, so of two that are equally close it is taken; of two refused ones the first.
  const place = isWrite(call) ? -call.step : call.step;
  const found = (kind: Candidate['kind'], closeness: number, distance = 0): Candidate[] => [
    { kind, call, truth, order: [closeness, distance, place, at] },
  ];
  if (call.action.name === truth.action.name) {
    if (hashableRepr(given) === hashableRepr(wanted)) return found('identical', refused);
    const distance = diffValues(given, wanted, []).length;
    if (keys.every(([name, key]) => given.get(name) === key)) return found('arguments', 2 + refused, distance);
    const different = differentArguments(given, wanted).length;
    const isOneOfFew = different === 1 || different * 2 <= wanted.size;
    return isOneOfFew ? found('arguments', refused === 0 ? 4 : 6, distance) : [];
  }
  const values = new Set(given.values());
  const isSameRecord = keys.some(([, key]) => values.has(key));
  return isSameRecord ? found('tool', refused === 0 ? 5 : 7, diffValues(given, wanted, []).length) : [];
}

/** Names of the arguments that are not the same, in the wanted order; those that are too many come last. */
export function differentArguments(given: PyDict, wanted: PyDict): string[] {
  return Array.from(new Set([...wanted.keys(), ...given.keys()])).filter((name) => {
    const a = given.get(name);
    const b = wanted.get(name);
    return a === undefined || b === undefined || hashableRepr(a) !== hashableRepr(b);
  });
}

function compareOrders(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
