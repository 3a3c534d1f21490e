/**
 * Proves a generated task: its ground truth can be replayed and has an effect (or the goal is marked as declined), its
 * instruction identifies the user and determines every argument of every write, and every output can be known. Where a
 * user has several goals, each is determined whichever comes first.
 */

import {
  RESPOND,
  applyAction,
  areOutputsWords,
  openOverlay,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../../../src/benchmarks/index.ts';
import type { Evidence, Ground, Member } from './ground.ts';
import type { Ending, Output, Premise } from './scenario.ts';
import { PyError, hashableRepr, isList, repr, type PyValue } from '../../../../src/benchmarks/python/index.ts';

/** One of the things that the customer has come for. */
export interface Goal {
  /** Grounds of all things that its sentences name. */
  readonly grounds: readonly Ground[];
  readonly premises: readonly Premise[];
  readonly outputs: readonly Output[];
  readonly ending: Ending;
  /** Its writes by their position among the task's actions. */
  readonly evidence: ReadonlyMap<number, Readonly<Record<string, Evidence>>>;
}

export interface Claim {
  readonly instruction: string;
  /** The words by which the agent identifies the user; the argument is the user id. */
  readonly identity: Ground;
  readonly actions: readonly Action[];
  readonly goals: readonly Goal[];
}

/** One sentence on a problem of a task. */
type Defect = string;

/** @returns the problems of a task; empty if it is proven */
export function findDefects(data: EnvData, claim: Claim): Defect[] {
  const fresh = openOverlay(data);
  const { faults, observations, end } = replay(data, claim);
  const found = [
    ...faults,
    ...missingWords(claim.instruction, claim.identity),
    ...otherReadings(fresh, claim.identity),
    ...wrongEndings(data, claim),
    ...dependentGoals(data, claim, end),
    ...claim.goals.flatMap((goal) => [
      ...wording(claim, goal),
      ...listStates(data, claim, goal, fresh).flatMap((store) => [
        ...Array.from(collectGrounds(goal)).flatMap((ground) => otherReadings(store, ground)),
        ...goal.premises.filter(({ holds }) => !holds(store)).map(({ claim: said }) => `it is not true that ${said}`),
        ...unknowable(goal.outputs, store, observations),
      ]),
    ]),
  ];
  return Array.from(new Set(found));
}

function wording(claim: Claim, goal: Goal): Defect[] {
  return [
    ...Array.from(collectGrounds(goal)).flatMap((ground) => missingWords(claim.instruction, ground)),
    ...Array.from(goal.evidence).flatMap(([position, evidence]) => {
      const action = claim.actions[position];
      return action === undefined ? ['a write is missing'] : unfounded(action, evidence, claim.identity.argument);
    }),
    ...leftOut(goal, claim.actions),
  ];
}

/** The possible states of the data when the agent turns to a goal: fresh, or with all other goals done. */
function listStates(data: EnvData, claim: Claim, goal: Goal, fresh: Overlay): Overlay[] {
  const others = claim.goals.filter((other) => other !== goal);
  return others.length === 0 ? [fresh] : [fresh, after(data, claim, others)];
}

interface Replay {
  readonly faults: readonly Defect[];
  readonly observations: readonly string[];
  readonly end: Overlay;
}

/** Takes all actions from fresh data. */
function replay(data: EnvData, claim: Claim): Replay {
  const end = openOverlay(data);
  const faults: Defect[] = [];
  const isWrite = new Set(claim.goals.flatMap((goal) => Array.from(goal.evidence.keys())));
  const observations = claim.actions.map((action, position) => {
    const { observation, changed } = applyAction(data, end, action);
    if (/^(Error|Unknown action)/.test(observation)) faults.push(`${action.name} is answered ${observation}`);
    else if (changed && !isWrite.has(position)) faults.push(`${action.name} changes data without a ground`);
    else if (!changed && isWrite.has(position)) faults.push(`${action.name} changes nothing`);
    return observation;
  });
  return { faults, observations, end };
}

/** Checks that each goal ends as it is marked. */
function wrongEndings(data: EnvData, claim: Claim): Defect[] {
  const transfers = claim.actions.filter(({ name }) => data.terminateTools.includes(name)).length;
  const wanted = claim.goals.filter(({ ending }) => ending === 'transferred').length;
  const last = claim.actions.at(-1)?.name ?? '';
  const faults: Defect[] = [];
  if (transfers !== wanted) faults.push(`${String(transfers)} transfers for ${String(wanted)} goals that need one`);
  if (transfers > 0 && !data.terminateTools.includes(last)) faults.push('something follows the transfer');
  return [...faults, ...claim.goals.flatMap((goal) => wrongEnding(data, claim, goal))];
}

function wrongEnding(data: EnvData, claim: Claim, goal: Goal): Defect[] {
  const changes = !sameState(data, openOverlay(data), after(data, claim, [goal]));
  if (goal.ending === 'served') {
    return changes || goal.outputs.length > 0
      ? []
      : ['nothing changes and nothing is told, though the wish is allowed'];
  }
  return changes || goal.outputs.length > 0 ? [`a wish is ${goal.ending}, but something changes or is told`] : [];
}

/** Checks that goals are independent: in the opposite order they lead to the same data. */
function dependentGoals(data: EnvData, claim: Claim, end: Overlay): Defect[] {
  if (claim.goals.length < 2) return [];
  const reversed = after(data, claim, [...claim.goals].reverse());
  return sameState(data, end, reversed) ? [] : ['the order in which the goals are reached makes a difference'];
}

/** The data after the writes of some goals alone. */
function after(data: EnvData, claim: Claim, goals: readonly Goal[]): Overlay {
  const overlay = openOverlay(data);
  for (const goal of goals) for (const action of listWrites(claim, goal)) applyAction(data, overlay, action);
  return overlay;
}

function listWrites(claim: Claim, goal: Goal): Action[] {
  return Array.from(goal.evidence.keys()).flatMap((position) => claim.actions[position] ?? []);
}

/** Checks that the instruction contains the words of a ground. */
function missingWords(instruction: string, ground: Ground): Defect[] {
  const absent = ground.texts.filter((text) => text === '' || !instruction.includes(text));
  const unsaid = ground.says.filter((part) => !ground.texts.some((text) => text.includes(part)));
  return [
    ...absent.map((text) => `the instruction does not say ${JSON.stringify(text)}`),
    ...unsaid.map((part) => `${JSON.stringify(ground.texts.join(' … '))} does not say ${JSON.stringify(part)}`),
  ];
}

/** Checks that a ground's words mean its argument and nothing else. */
function otherReadings(store: Overlay, ground: Ground): Defect[] {
  const words = JSON.stringify(ground.texts.join(' … '));
  const candidates = listCandidates(store, ground);
  if (candidates.length === 0) return [`nothing fits ${words}`];
  if (candidates.length > 1) return [`${words} fits ${String(candidates.length)} things: ${listed(candidates)}`];
  const [only = null] = candidates;
  return same(only, ground.argument) ? [] : [`${words} means ${repr(only)}, not ${repr(ground.argument)}`];
}

/** Checks that the arguments of a write are what its evidence names. */
function unfounded(action: Action, evidence: Readonly<Record<string, Evidence>>, userId: PyValue): Defect[] {
  const keys = new Set([...action.kwargs.keys(), ...Object.keys(evidence)]);
  return Array.from(keys).flatMap((key): Defect[] => {
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

/** Checks that of things named together none is left out. */
function leftOut(goal: Goal, actions: readonly Action[]): Defect[] {
  const dealtWith = new Map<Ground, PyValue[]>();
  for (const [position, evidence] of goal.evidence) {
    const kwargs = actions[position]?.kwargs;
    for (const [key, source] of Object.entries(evidence)) {
      if (!isMember(source)) continue;
      const value = kwargs?.get(key);
      dealtWith.set(source.set, [...(dealtWith.get(source.set) ?? []), ...(value === undefined ? [] : [value])]);
    }
  }
  return Array.from(dealtWith).flatMap(([set, values]): Defect[] => {
    const all = isList(set.argument) ? set.argument : [];
    const missing = all.filter((value) => !values.some((other) => same(other, value)));
    return missing.map(
      (value) => `${JSON.stringify(set.texts.join(' … '))} includes ${repr(value)}, which is left out`,
    );
  });
}

/** All grounds of a goal, each once; the user's identity is checked once per task. */
function collectGrounds(goal: Goal): ReadonlySet<Ground> {
  const sources = Array.from(goal.evidence.values()).flatMap((evidence) => Object.values(evidence));
  const grounds = sources.flatMap((source) => ('self' in source ? [] : [isMember(source) ? source.set : source]));
  return new Set([...goal.grounds, ...grounds]);
}

function listCandidates(store: Overlay, ground: Ground): readonly PyValue[] {
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

/**
 * Checks that each output is the only answer to its question or, without a question, a whole word or number of an
 * observation.
 */
function unknowable(outputs: readonly Output[], store: Overlay, observations: readonly string[]): Defect[] {
  return outputs.flatMap(({ text, answers }): Defect[] => {
    if (answers === undefined) return isSeen(text, observations) ? [] : [`nothing that the agent sees says ${text}`];
    const all = answers(store);
    if (all.length === 1 && all[0] === text) return [];
    return [`${text} is not the one answer: ${all.length === 0 ? 'there is none' : all.slice(0, 3).join(', ')}`];
  });
}

/** Whole amounts are shown as floats: the agent reads 38 as `38.0`. */
function isSeen(text: string, observations: readonly string[]): boolean {
  const spellings = /^\d+$/.test(text) ? [text, `${text}.0`] : [text];
  return observations.some((content) =>
    spellings.some((spelling) =>
      areOutputsWords([spelling], [{ name: RESPOND, kwargs: new Map([['content', content]]) }]),
    ),
  );
}
