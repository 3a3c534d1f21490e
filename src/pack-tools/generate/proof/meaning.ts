/**
 * Whether an instruction determines its writes: every argument comes from words of the instruction, and of everything
 * in the data that fits these words there is one.
 */

import type { Action, Overlay } from '../../../benchmark/index.ts';
import { PyError, hashableRepr, isList, repr, type PyValue } from '../../../benchmark/python/index.ts';
import type { Evidence, Ground, Member } from '../tasks/ground.ts';
import type { Fault, Goal } from './claim.ts';

/** The words of the instruction that a ground stands on. */
export function missingWords(instruction: string, ground: Ground): Fault[] {
  const absent = ground.texts.filter((text) => text === '' || !instruction.includes(text));
  const unsaid = ground.says.filter((part) => !ground.texts.some((text) => text.includes(part)));
  return [
    ...absent.map((text) => `the instruction does not say ${JSON.stringify(text)}`),
    ...unsaid.map((part) => `${JSON.stringify(ground.texts.join(' … '))} does not say ${JSON.stringify(part)}`),
  ];
}

/** That a ground's words mean its argument and nothing else. */
export function otherReadings(store: Overlay, ground: Ground): Fault[] {
  const words = JSON.stringify(ground.texts.join(' … '));
  const candidates = candidatesOf(store, ground);
  if (candidates.length === 0) return [`nothing fits ${words}`];
  if (candidates.length > 1) return [`${words} fits ${String(candidates.length)} things: ${listed(candidates)}`];
  const [only = null] = candidates;
  return same(only, ground.argument) ? [] : [`${words} means ${repr(only)}, not ${repr(ground.argument)}`];
}

/** That what a write is called with is what its evidence names. */
export function unfounded(action: Action, evidence: Readonly<Record<string, Evidence>>, userId: PyValue): Fault[] {
  const keys = new Set([...action.kwargs.keys(), ...Object.keys(evidence)]);
  return Array.from(keys).flatMap((key): Fault[] => {
    const value = action.kwargs.get(key);
    const source = evidence[key];
    if (source === undefined) return [`nothing says the ${key} of ${action.name}`];
    if (value === undefined) return [`${action.name} is called without the ${key} that the instruction gives`];
    const meant = 'self' in source ? userId : source.argument;
    return same(value, meant)
      ? []
      : [`the ${key} of ${action.name} is ${repr(value)}; the instruction means ${repr(meant)}`];
  });
}

/** That of things that are named together each one is dealt with. */
export function leftOut(goal: Goal, actions: readonly Action[]): Fault[] {
  const dealtWith = new Map<Ground, PyValue[]>();
  for (const [position, evidence] of goal.evidence) {
    const kwargs = actions[position]?.kwargs;
    for (const [key, source] of Object.entries(evidence)) {
      if (!isMember(source)) continue;
      const value = kwargs?.get(key);
      dealtWith.set(source.set, [...(dealtWith.get(source.set) ?? []), ...(value === undefined ? [] : [value])]);
    }
  }
  return Array.from(dealtWith).flatMap(([set, values]): Fault[] => {
    const all = isList(set.argument) ? set.argument : [];
    const missing = all.filter((value) => !values.some((other) => same(other, value)));
    return missing.map(
      (value) => `${JSON.stringify(set.texts.join(' … '))} includes ${repr(value)}, which is left out`,
    );
  });
}

/** All grounds that a goal stands on, each once; who the customer is, is looked at once a task. */
export function groundsOf(goal: Goal): ReadonlySet<Ground> {
  const sources = Array.from(goal.evidence.values()).flatMap((evidence) => Object.values(evidence));
  const grounds = sources.flatMap((source) => ('self' in source ? [] : [isMember(source) ? source.set : source]));
  return new Set([...goal.grounds, ...grounds]);
}

function candidatesOf(store: Overlay, ground: Ground): readonly PyValue[] {
  try {
    return ground.candidates(store);
  } catch (error) {
    // What the words lead to is not in the data at all.
    if (error instanceof PyError) return [];
    throw error;
  }
}

function isMember(evidence: Evidence): evidence is Member {
  return 'set' in evidence;
}

/** Equal for the benchmark's hash, spelling of numbers included. */
function same(a: PyValue, b: PyValue): boolean {
  return a === b || hashableRepr(a) === hashableRepr(b);
}

function listed(candidates: readonly PyValue[]): string {
  const shown = candidates.slice(0, 3).map(repr).join(', ');
  return candidates.length > 3 ? `${shown}, …` : shown;
}
