/**
 * What would have to be done otherwise for the data to come out right: the fewest edits of the agent's calls that the
 * replay shows to be needed. What the final data do not show is no edit, so a detour that was undone, or another way
 * to the same data, is no fault.
 */

import { foldActions, sameState, type Action, type EnvData, type Overlay } from '../../benchmark/index.ts';
import { isWrite, type Call, type Write } from './calls.ts';
import { differentArguments, recordKeys, type Matching, type Pair } from './match.ts';

export type Edit =
  /** The call is not made. */
  | { readonly kind: 'remove'; readonly call: Write }
  /** The ground truth's write is made; `instead` of a call of another tool, where there is one. */
  | { readonly kind: 'insert'; readonly truth: Write; readonly instead: Call | null }
  /** One argument is that of the ground truth. */
  | { readonly kind: 'set'; readonly call: Call; readonly truth: Write; readonly argument: string }
  /** The calls that stand for writes of the ground truth are made in its order. */
  | { readonly kind: 'reorder'; readonly call: Call; readonly before: Call };

/** Above this many edits they are tried one by one only, which costs their number in replays instead of its square. */
const MAX_TRIED_TOGETHER = 16;

/**
 * Edits after which the data are the wanted ones, while without any single one of them they are not.
 * @param wanted the state that the ground truth's writes lead to
 */
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
  // The later ones first: what came first is what the others follow from.
  const leaveOutOneByOne = () => {
    let before: number;
    // One that was needed may not be without another that was not.
    do {
      before = kept.length;
      for (const edit of kept.toReversed()) leaveOut([edit]);
    } while (kept.length < before);
  };
  leaveOutOneByOne();
  if (kept.length > 2 && kept.length <= MAX_TRIED_TOGETHER && leaveOutAPair(kept, leaveOut)) leaveOutOneByOne();
  return kept;
}

/** The calls of an episode after the edits; those that did nothing and stand for nothing are left out. */
export function applyEdits({ pairs, extras }: Matching, edits: readonly Edit[]): Action[] {
  const removed = new Set(edits.flatMap((edit) => (edit.kind === 'remove' ? [edit.call] : [])));
  const inserted = new Set(edits.flatMap((edit) => (edit.kind === 'insert' ? [edit.truth] : [])));
  const others = pairs.flatMap((pair) => (pair.kind === 'tool' && isWrite(pair.call) ? [pair.call] : []));
  const unpaired = [...extras, ...others]
    .filter((call) => !removed.has(call))
    .map((call): Item => ({ step: call.step, rank: null, action: call.action }));
  const paired = pairs.flatMap((pair, rank): Item[] =>
    pair.kind === 'identical' || pair.kind === 'arguments'
      ? [{ step: pair.call.step, rank, action: edited(pair, edits) }]
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
  /** Position among the ground truth's writes; null for a call that stands for none. */
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

/** The first call that was made before one that the ground truth has before it. */
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

function edited({ truth, call }: Pair & { readonly call: Call }, edits: readonly Edit[]): Action {
  const kwargs = new Map(call.action.kwargs);
  for (const edit of edits) {
    if (edit.kind !== 'set' || edit.call !== call) continue;
    const value = truth.action.kwargs.get(edit.argument);
    if (value === undefined) kwargs.delete(edit.argument);
    else kwargs.set(edit.argument, value);
  }
  return { name: call.action.name, kwargs };
}

/** Calls that were not asked for, by the record that they are of: they may undo each other. */
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
