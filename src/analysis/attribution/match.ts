/** Which of the agent's calls stands for which write of the ground truth. */

import { diffValues, domains, type Action, type EnvData } from '../../benchmark/index.ts';
import { hashableRepr, isDict, type PyDict } from '../../benchmark/python/index.ts';
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

/** How a call is like a write of the ground truth. */
type Likeness = 'equal' | 'sameRecord' | 'otherRecord' | 'otherTool';

/** Which likeness is taken first: of calls that changed the data, and of those that did not. */
const CLOSENESS: Readonly<Record<Likeness, { readonly done: number; readonly inVain: number }>> = {
  equal: { done: 0, inVain: 1 },
  sameRecord: { done: 2, inVain: 3 },
  otherRecord: { done: 4, inVain: 6 },
  otherTool: { done: 5, inVain: 7 },
};

const KIND_OF = {
  equal: 'identical',
  sameRecord: 'arguments',
  otherRecord: 'arguments',
  otherTool: 'tool',
} as const satisfies Readonly<Record<Likeness, Pair['kind']>>;

/**
 * A call with more arguments that are not the wanted ones stands for no write. No tool has so many, and finding a repair
 * replays the episode for each of them.
 */
const MAX_DIFFERENT = 50;

interface Candidate {
  readonly likeness: Likeness;
  readonly call: Call;
  readonly truth: Write;
  /** How many places in the arguments differ. */
  readonly distance: number;
}

/**
 * Pairs each call and each write at most once, the closest first: equal ones; those of one tool on one record; of one
 * tool on another record, unless most of the arguments are others too; of another tool on one record. A call that was
 * refused, or changed nothing, stands for a write where no call that did something is as close; on another record only
 * where nothing else is other.
 */
export function matchCalls(data: EnvData, agent: readonly Call[], truth: readonly Call[]): Matching {
  const wanted = truth.filter(isWrite);
  const candidates = attempts(data, agent, truth)
    .flatMap((call) => candidatesOf(data, call, wanted))
    .sort(byCloseness);
  const pairOf = new Map<Write, Pair>();
  const taken = new Set<Call>();
  for (const { likeness, call, truth } of candidates) {
    if (pairOf.has(truth) || taken.has(call)) continue;
    pairOf.set(truth, { kind: KIND_OF[likeness], call, truth });
    taken.add(call);
  }
  return {
    pairs: wanted.map((truth) => pairOf.get(truth) ?? { kind: 'missing', truth }),
    extras: agent.filter(isWrite).filter((call) => !taken.has(call)),
  };
}

/** The values of an action's arguments that are a record's key in some table, by argument. */
export function recordKeys(data: EnvData, { kwargs }: Action): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [name, value] of kwargs) {
    if (typeof value === 'string' && isRecordKey(data, value)) keys.set(name, value);
  }
  return keys;
}

/** Whether some table has a record of that key. */
export function isRecordKey(data: EnvData, value: string): boolean {
  for (const records of data.tables.values()) if (isDict(records) && records.has(value)) return true;
  return false;
}

/** Calls that changed the data or were to: not those that the ground truth makes in vain as well. */
function attempts(data: EnvData, agent: readonly Call[], truth: readonly Call[]): Call[] {
  const { tools, audit } = domains.get(data.domain) ?? {};
  const seen = [...agent, ...truth].filter(isWrite).map(({ action }) => action.name);
  const writing = new Set([...(audit?.writes ?? []), ...seen]);
  const inVain = new Set(truth.filter((call) => !isWrite(call)).map(({ action }) => textOf(action)));
  return agent.filter((call) => {
    const { name } = call.action;
    return isWrite(call) || ((writing.has(name) || tools?.has(name) !== true) && !inVain.has(textOf(call.action)));
  });
}

function candidatesOf(data: EnvData, call: Call, wanted: readonly Write[]): Candidate[] {
  const all = wanted.flatMap((truth): Candidate[] => {
    const likeness = likenessOf(data, call, truth);
    if (likeness === undefined) return [];
    return [{ likeness, call, truth, distance: diffValues(call.action.kwargs, truth.action.kwargs, []).length }];
  });
  // What its own tool has to do with the record is not done by another.
  const isOwn = all.some(({ likeness }) => likeness === 'equal' || likeness === 'sameRecord');
  const own = isOwn ? all.filter(({ likeness }) => likeness !== 'otherTool') : all;
  if (isWrite(call)) return own;
  // An attempt may be made again and again; it is one at the closest write only.
  const closest = Math.min(...own.map(({ distance }) => distance));
  return own.filter(({ distance }) => distance === closest);
}

function likenessOf(data: EnvData, call: Call, truth: Write): Likeness | undefined {
  const given = call.action;
  const wanted = truth.action;
  const keys = Array.from(recordKeys(data, wanted));
  if (given.name !== wanted.name) {
    const values = new Set(given.kwargs.values());
    return keys.some(([, key]) => values.has(key)) ? 'otherTool' : undefined;
  }
  const different = differentArguments(given.kwargs, wanted.kwargs).length;
  if (different > MAX_DIFFERENT) return undefined;
  if (different === 0) return 'equal';
  if (keys.every(([name, key]) => given.kwargs.get(name) === key)) return 'sameRecord';
  return different === 1 || (isWrite(call) && different * 2 <= wanted.kwargs.size) ? 'otherRecord' : undefined;
}

function byCloseness(a: Candidate, b: Candidate): number {
  const closeness = ({ likeness, call }: Candidate) => CLOSENESS[likeness][isWrite(call) ? 'done' : 'inVain'];
  // A later write decides what the data are, so of two that are equally close it is taken; of two attempts the first.
  const place = ({ call }: Candidate) => (isWrite(call) ? -call.step : call.step);
  return closeness(a) - closeness(b) || a.distance - b.distance || place(a) - place(b) || a.truth.step - b.truth.step;
}

function textOf({ name, kwargs }: Action): string {
  return `${name} ${hashableRepr(kwargs)}`;
}

/** Names of the arguments that are not the same, in the wanted order; those that are too many come last. */
export function differentArguments(given: PyDict, wanted: PyDict): string[] {
  return Array.from(new Set([...wanted.keys(), ...given.keys()])).filter((name) => {
    const a = given.get(name);
    const b = wanted.get(name);
    return a === undefined || b === undefined || hashableRepr(a) !== hashableRepr(b);
  });
}
