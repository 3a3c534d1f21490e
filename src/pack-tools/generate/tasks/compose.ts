/** Tasks of more than one goal, and customers who change their minds: what hard packs are made of. */

import type { Dealer, Family } from './dealer.ts';
import type { Plot } from './plot.ts';
import type { Stage } from './stage.ts';
import { tell, type Told } from './told.ts';

/** Draws of a further goal before the task is left with what it has. */
const ATTEMPTS = 6;
const COUNTS = ['no', 'one', 'two', 'three'] as const;
const ORDINALS = ['first', 'second', 'third'] as const;

/** A plot, and up to where in the shared script its actions go. */
export interface Scene<C> {
  readonly plot: Plot<C>;
  readonly until: number;
}

/** A family's plot, with as many more of the same customer as the level has it. */
export function gatherGoals<W, St extends Stage<W>, C extends { readonly id: string }>(
  stage: St,
  family: Family<St, C>,
  dealer: Dealer<W, St, C>,
): Scene<C>[] {
  const first = family(stage);
  if (first === undefined) return [];
  const scenes = [sceneOf(first)];
  if (!dealer.companions.includes(family)) return scenes;
  for (const chance of [stage.level.secondGoal, stage.level.thirdGoal]) {
    if (chance === 0 || !stage.random.chance(chance)) break;
    const plots = scenes.map(({ plot }) => plot);
    const more = draw(dealer.narrow(stage, plots, 'same'), dealer.companions);
    if (more === undefined) break;
    scenes.push(sceneOf(more));
  }
  return scenes;
}

function sceneOf<C>(plot: Plot<C>): Scene<C> {
  return { plot, until: plot.script.actions.length };
}

/** Something that the customer asks for and drops; it leaves no trace in the ground truth. */
export function drawDroppedWish<W, St extends Stage<W>, C extends { readonly id: string }>(
  stage: St,
  scenes: readonly Scene<C>[],
  dealer: Dealer<W, St, C>,
): Plot<C> | undefined {
  const chance = stage.level.changeOfMind;
  if (chance === 0 || !stage.random.chance(chance)) return undefined;
  const plots = scenes.map(({ plot }) => plot);
  return draw(dealer.narrow(stage, plots, 'fresh'), dealer.wishes);
}

/** The goals in one text. */
export function joinGoals(goals: readonly Told[], dropped: Told | undefined): Told {
  const joined = goals.length === 1 ? tell`${goals[0] ?? ''}` : numbered(goals);
  if (dropped === undefined) return joined;
  // What is dropped is told, but nothing rests on it.
  return tell`You begin with something else: ${dropped.text} When the agent has answered, you drop that for good and consent to nothing of it, because you have thought better of it. What you want in truth is this. ${joined}`;
}

function numbered(goals: readonly Told[]): Told {
  const start = tell`You have come with ${COUNTS[goals.length] ?? 'several'} matters, and bring each one up when the one before is settled.`;
  return goals.reduce((told, goal, at) => tell`${told} The ${ORDINALS[at] ?? 'next'} one: ${goal}`, start);
}

function draw<St, C>(
  stage: St & { readonly random: Stage<unknown>['random'] },
  families: readonly Family<St, C>[],
): Plot<C> | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plot = stage.random.pick(families)(stage);
    if (plot !== undefined) return plot;
  }
  return undefined;
}
