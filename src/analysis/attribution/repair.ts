/**
 * Finds the fewest edits of the agent's calls that make the data right, by matching calls with the ground truth's
 * writes and replaying. An undone change needs no edit, nor do other calls that lead to the same data.
 */

import {
  diffValues,
  domains,
  foldActions,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../benchmarks/index.ts';
import { hashableRepr, isDict, type PyDict } from '../../benchmarks/python/index.ts';
import { isWrite, type Call, type Write } from './calls.ts';

/** A write of the ground truth and the agent's call that matches it. */
type Pair = { readonly truth: Write } & (
  { readonly kind: 'missing' } | { readonly kind: 'identical' | 'arguments' | 'tool'; readonly call: Call }
);

export interface Matching {
  /** One pair for each write of the ground truth, in order. */
  readonly pairs: readonly Pair[];
  /** The agent's other writes, in order. */
  readonly extras: readonly Write[];
}

type Likeness = 'equal' | 'sameRecord' | 'otherRecord' | 'otherTool';

/** Rank of candidates for a match, for calls that changed the data and for others. */
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

/** Most different arguments of a match, because finding a repair replays the episode for each. */
export const MAX_DIFFERENT = 50;

interface Candidate {
  readonly likeness: Likeness;
  readonly call: Call;
  readonly truth: Write;
  /** Number of differences in the arguments. */
  readonly distance: number;
}

/**
 * Pairs each call and each write at most once, the closest first: equal calls; the same tool and record; the same tool
 * and another record, unless most arguments differ; another tool and the same record. A call that changed nothing
 * matches only if no other call is as close; for another record, everything else must be equal.
 */
export function matchCalls(data: EnvData, agent: readonly Call[], truth: readonly Call[]): Matching {
  const wanted = truth.filter(isWrite);
  const candidates = listRepairs(data, agent, truth)
    .flatMap((call) => findCandidates(data, call, wanted))
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

/** Returns the arguments whose value is the key of a record. */
export function recordKeys(data: EnvData, { kwargs }: Action): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [name, value] of kwargs) {
    if (typeof value === 'string' && isRecordKey(data, value)) keys.set(name, value);
  }
  return keys;
}

export function isRecordKey(data: EnvData, value: string): boolean {
  for (const records of data.tables.values()) if (isDict(records) && records.has(value)) return true;
  return false;
}

/** Returns calls that changed the data or tried to, without failed attempts that are in the ground truth, too. */
function listRepairs(data: EnvData, agent: readonly Call[], truth: readonly Call[]): Call[] {
  const { tools, audit } = domains.get(data.domain) ?? {};
  const seen = [...agent, ...truth].filter(isWrite).map(({ action }) => action.name);
  const writing = new Set([...(audit?.writes ?? []), ...seen]);
  const inVain = new Set(truth.filter((call) => !isWrite(call)).map(({ action }) => toActionKey(action)));
  return agent.filter((call) => {
    const { name } = call.action;
    return isWrite(call) || ((writing.has(name) || tools?.has(name) !== true) && !inVain.has(toActionKey(call.action)));
  });
}

function findCandidates(data: EnvData, call: Call, wanted: readonly Write[]): Candidate[] {
  const all = wanted.flatMap((truth): Candidate[] => {
    const likeness = compareCall(data, call, truth);
    if (likeness === undefined) return [];
    return [{ likeness, call, truth, distance: diffValues(call.action.kwargs, truth.action.kwargs, []).length }];
  });
  // Another tool does not match if the call's own tool does.
  const isOwn = all.some(({ likeness }) => likeness === 'equal' || likeness === 'sameRecord');
  const own = isOwn ? all.filter(({ likeness }) => likeness !== 'otherTool') : all;
  if (isWrite(call)) return own;
  // An attempt may be repeated, so it matches only the closest write.
  const closest = Math.min(...own.map(({ distance }) => distance));
  return own.filter(({ distance }) => distance === closest);
}

function compareCall(data: EnvData, call: Call, truth: Write): Likeness | undefined {
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
  // Of equally close writes the last one determines the data, so it is taken; of attempts the first.
  const place = ({ call }: Candidate) => (isWrite(call) ? -call.step : call.step);
  return closeness(a) - closeness(b) || a.distance - b.distance || place(a) - place(b) || a.truth.step - b.truth.step;
}

export function toActionKey({ name, kwargs }: Action): string {
  return `${name} ${hashableRepr(kwargs)}`;
}

/** Returns the names of different arguments in the ground truth's order; additional ones come last. */
export function differentArguments(given: PyDict, wanted: PyDict): string[] {
  return Array.from(new Set([...wanted.keys(), ...given.keys()])).filter((name) => {
    const a = given.get(name);
    const b = wanted.get(name);
    return a === undefined || b === undefined || hashableRepr(a) !== hashableRepr(b);
  });
}

export type Edit =
  | { readonly kind: 'remove'; readonly call: Write }
  /** Adds the ground truth's write. `instead`: the call of another tool that it replaces. */
  | { readonly kind: 'insert'; readonly truth: Write; readonly instead: Call | null }
  /** Sets one argument to the ground truth's value. */
  | { readonly kind: 'set'; readonly call: Call; readonly truth: Write; readonly argument: string }
  /** Orders all matched calls as in the ground truth. */
  | { readonly kind: 'reorder'; readonly call: Call; readonly before: Call };

/** Most edits that are tried in pairs, because the number of replays is the square of theirs. */
const MAX_TRIED_TOGETHER = 16;

/** Finds edits that together make the data right, all of them needed. @param wanted the ground truth's data */
export function findRepair(data: EnvData, matching: Matching, wanted: Overlay): readonly Edit[] {
  const isRight = (edits: readonly Edit[]) => sameState(data, foldActions(data, applyEdits(matching, edits)), wanted);
  let kept = allEdits(matching);
  const leaveOut = (edits: readonly Edit[]): boolean => {
    const rest = kept.filter((edit) => !edits.includes(edit));
    if (rest.length === kept.length || !isRight(rest)) return false;
    kept = rest;
    return true;
  };
  for (const group of sameRecord(data, kept)) leaveOut(group);
  // Later edits are left out first, because they follow from the earlier ones.
  const leaveOutOneByOne = () => {
    let before: number;
    // An edit may become unnecessary when another one is left out.
    do {
      before = kept.length;
      for (const edit of kept.toReversed()) leaveOut([edit]);
    } while (kept.length < before);
  };
  leaveOutOneByOne();
  if (kept.length > 2 && kept.length <= MAX_TRIED_TOGETHER && leaveOutAPair(kept, leaveOut)) leaveOutOneByOne();
  return kept;
}

/** Returns the calls of an episode after the edits, without unmatched calls that changed nothing. */
export function applyEdits({ pairs, extras }: Matching, edits: readonly Edit[]): Action[] {
  const removed = new Set(edits.flatMap((edit) => (edit.kind === 'remove' ? [edit.call] : [])));
  const inserted = new Set(edits.flatMap((edit) => (edit.kind === 'insert' ? [edit.truth] : [])));
  const others = pairs.flatMap((pair) => (pair.kind === 'tool' && isWrite(pair.call) ? [pair.call] : []));
  const unpaired = [...extras, ...others]
    .filter((call) => !removed.has(call))
    .map((call): Item => ({ step: call.step, rank: null, action: call.action }));
  const paired = pairs.flatMap((pair, rank): Item[] =>
    pair.kind === 'identical' || pair.kind === 'arguments'
      ? [{ step: pair.call.step, rank, action: applyToCall(pair, edits) }]
      : [],
  );
  const items = [...unpaired, ...paired].sort((a, b) => a.step - b.step);
  if (edits.some(({ kind }) => kind === 'reorder')) {
    const inOrder = paired.values();
    for (const [at, item] of items.entries()) if (item.rank !== null) items[at] = inOrder.next().value ?? item;
  }
  for (const [rank, { truth }] of pairs.entries()) {
    if (!inserted.has(truth)) continue;
    const next = items.findIndex((item) => item.rank !== null && item.rank > rank);
    items.splice(next < 0 ? items.length : next, 0, { step: 0, rank, action: truth.action });
  }
  return items.map(({ action }) => action);
}

interface Item {
  readonly step: number;
  /** Position among the ground truth's writes; null for an unmatched call. */
  readonly rank: number | null;
  readonly action: Action;
}

function allEdits({ pairs, extras }: Matching): Edit[] {
  const edits = pairs.flatMap((pair): Edit[] => {
    const { truth } = pair;
    switch (pair.kind) {
      case 'identical':
        return [];
      case 'missing':
        return [{ kind: 'insert', truth, instead: null }];
      case 'arguments':
        return differentArguments(pair.call.action.kwargs, truth.action.kwargs).map((argument) => ({
          kind: 'set',
          call: pair.call,
          truth,
          argument,
        }));
      case 'tool': {
        const insert: Edit = { kind: 'insert', truth, instead: pair.call };
        return isWrite(pair.call) ? [{ kind: 'remove', call: pair.call }, insert] : [insert];
      }
    }
  });
  const order = findReorder(pairs);
  return [...edits, ...extras.map((call): Edit => ({ kind: 'remove', call })), ...(order === undefined ? [] : [order])];
}

/** Finds the first call that was made too early. */
function findReorder(pairs: readonly Pair[]): Edit | undefined {
  const calls = pairs.flatMap((pair) => (pair.kind === 'identical' || pair.kind === 'arguments' ? [pair.call] : []));
  const early = calls
    .flatMap((call, rank) => {
      const before = calls.slice(0, rank).find(({ step }) => step > call.step);
      return before === undefined ? [] : [{ call, before }];
    })
    .sort((a, b) => a.call.step - b.call.step)[0];
  return early === undefined ? undefined : { kind: 'reorder', ...early };
}

function applyToCall({ truth, call }: Pair & { readonly call: Call }, edits: readonly Edit[]): Action {
  const kwargs = new Map(call.action.kwargs);
  for (const edit of edits) {
    if (edit.kind !== 'set' || edit.call !== call) continue;
    const value = truth.action.kwargs.get(edit.argument);
    if (value === undefined) kwargs.delete(edit.argument);
    else kwargs.set(edit.argument, value);
  }
  return { name: call.action.name, kwargs };
}

/** Groups additional calls by record, because they may undo each other. */
function sameRecord(data: EnvData, edits: readonly Edit[]): Edit[][] {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) {
    if (edit.kind !== 'remove') continue;
    const record = recordKeys(data, edit.call.action).values().next().value ?? '';
    groups.set(record, [...(groups.get(record) ?? []), edit]);
  }
  return Array.from(groups.values()).filter(({ length }) => length > 1);
}

function leaveOutAPair(edits: readonly Edit[], leaveOut: (pair: readonly Edit[]) => boolean): boolean {
  let hasLeft = false;
  for (const [at, edit] of edits.entries()) {
    for (const other of edits.slice(at + 1)) if (leaveOut([edit, other])) hasLeft = true;
  }
  return hasLeft;
}
