/**
 * Proves a generated task: its ground truth can be carried out and has an effect (or the wish is marked as one that is
 * refused), its instruction tells who the customer is and determines every argument of every write, and what has to be
 * told can be known. Where a customer has come for several things, each is determined whichever comes first.
 */

import { openOverlay, type EnvData, type Overlay } from '../../../benchmark/index.ts';
import type { Claim, Fault, Goal } from './claim.ts';
import { groundsOf, leftOut, missingWords, otherReadings, unfounded } from './meaning.ts';
import { unknowable } from './outputs.ts';
import { after, dependentGoals, replay, wrongEndings } from './replay.ts';

/** @returns what is wrong with the task, nothing when it is proven */
export function findFaults(data: EnvData, claim: Claim): Fault[] {
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
      ...statesOf(data, claim, goal, fresh).flatMap((store) => [
        ...Array.from(groundsOf(goal)).flatMap((ground) => otherReadings(store, ground)),
        ...goal.premises.filter(({ holds }) => !holds(store)).map(({ claim: said }) => `it is not true that ${said}`),
        ...unknowable(goal.outputs, store, observations),
      ]),
    ]),
  ];
  return Array.from(new Set(found));
}

function wording(claim: Claim, goal: Goal): Fault[] {
  return [
    ...Array.from(groundsOf(goal)).flatMap((ground) => missingWords(claim.instruction, ground)),
    ...Array.from(goal.evidence).flatMap(([position, evidence]) => {
      const action = claim.actions[position];
      return action === undefined ? ['a write is missing'] : unfounded(action, evidence, claim.identity.argument);
    }),
    ...leftOut(goal, claim.actions),
  ];
}

/** What the data can be when the agent turns to a goal: as they were, or with everything else done. */
function statesOf(data: EnvData, claim: Claim, goal: Goal, fresh: Overlay): Overlay[] {
  const others = claim.goals.filter((other) => other !== goal);
  return others.length === 0 ? [fresh] : [fresh, after(data, claim, others)];
}
