/** Whether a ground truth can be carried out, and does what its goals say. */

import {
  applyAction,
  openOverlay,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../../benchmark/index.ts';
import type { Claim, Fault, Goal } from './claim.ts';

export interface Replay {
  readonly faults: readonly Fault[];
  readonly observations: readonly string[];
  readonly end: Overlay;
}

/** Takes all actions from fresh data. */
export function replay(data: EnvData, claim: Claim): Replay {
  const end = openOverlay(data);
  const faults: Fault[] = [];
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

/** That each goal ends as it is marked. */
export function wrongEndings(data: EnvData, claim: Claim): Fault[] {
  const transfers = claim.actions.filter(({ name }) => data.terminateTools.includes(name)).length;
  const wanted = claim.goals.filter(({ ending }) => ending === 'transferred').length;
  const last = claim.actions.at(-1)?.name ?? '';
  const faults: Fault[] = [];
  if (transfers !== wanted) faults.push(`${String(transfers)} transfers for ${String(wanted)} goals that need one`);
  if (transfers > 0 && !data.terminateTools.includes(last)) faults.push('something follows the transfer');
  return [...faults, ...claim.goals.flatMap((goal) => wrongEnding(data, claim, goal))];
}

function wrongEnding(data: EnvData, claim: Claim, goal: Goal): Fault[] {
  const changes = !sameState(data, openOverlay(data), after(data, claim, [goal]));
  if (goal.ending === 'served') {
    return changes || goal.outputs.length > 0
      ? []
      : ['nothing changes and nothing is told, though the wish is allowed'];
  }
  return changes || goal.outputs.length > 0 ? [`a wish is ${goal.ending}, but something changes or is told`] : [];
}

/** That goals do not get into each other's way: in the opposite order they lead to the same data. */
export function dependentGoals(data: EnvData, claim: Claim, end: Overlay): Fault[] {
  if (claim.goals.length < 2) return [];
  const reversed = after(data, claim, [...claim.goals].reverse());
  return sameState(data, end, reversed) ? [] : ['the order in which the goals are reached makes a difference'];
}

/** The data after the writes of some goals alone. */
export function after(data: EnvData, claim: Claim, goals: readonly Goal[]): Overlay {
  const overlay = openOverlay(data);
  for (const goal of goals) for (const action of writesOf(claim, goal)) applyAction(data, overlay, action);
  return overlay;
}

function writesOf(claim: Claim, goal: Goal): Action[] {
  return Array.from(goal.evidence.keys()).flatMap((position) => claim.actions[position] ?? []);
}
