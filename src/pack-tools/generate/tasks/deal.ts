/** Deals the tasks of a split. A task that cannot be proven is thrown away, and another one is made in its place. */

import type { EnvData } from '../../../benchmark/index.ts';
import type { Dumpable } from '../../../benchmark/python/index.ts';
import { PackError } from '../../../packs/index.ts';
import type { Level } from '../level.ts';
import type { Claim } from '../proof/claim.ts';
import { findFaults } from '../proof/prove.ts';
import type { Random } from '../random.ts';
import { drawDroppedWish, gatherGoals, joinGoals } from './compose.ts';
import type { Dealer, Family } from './dealer.ts';
import { frame } from './frame.ts';
import type { Stage } from './stage.ts';

/** Draws of one family that came to nothing before another family is tried. */
const ATTEMPTS = 12;

export interface DealOptions {
  readonly count: number;
  readonly level: Level;
  /** Steps through the deck from one task to the next; without a common factor with its size. */
  readonly stride: number;
  /** Who wants what in earlier splits; the new wishes are added. Nobody wants the same twice. */
  readonly taken: Set<string>;
  /** Hears of every task that is made: those that are kept have no faults. */
  readonly witness?: Witness;
}

export type Witness = (family: string, claim: Claim, faults: readonly string[]) => void;

/** A world, its tables, and how tasks are made of them. */
export interface Setting<W, St extends Stage<W>, C extends { readonly id: string }> {
  readonly world: W;
  readonly data: EnvData;
  readonly dealer: Dealer<W, St, C>;
}

/** @throws PackError when the data are too small for that many different tasks */
export function dealTasks<W, St extends Stage<W>, C extends { readonly id: string }>(
  random: Random,
  setting: Setting<W, St, C>,
  options: DealOptions,
): Dumpable[] {
  const { decks, spare } = setting.dealer;
  const deck = decks[options.level.difficulty];
  return Array.from({ length: options.count }, (_, i) => {
    const family = deck[(i * options.stride) % deck.length];
    const own = random.fork(String(i));
    const families = family === undefined ? spare : [family, ...random.shuffle(spare)];
    return freshTask(own, i, setting, families, options);
  });
}

function freshTask<W, St extends Stage<W>, C extends { readonly id: string }>(
  random: Random,
  at: number,
  { world, data, dealer }: Setting<W, St, C>,
  families: readonly Family<St, C>[],
  { count, level, taken, witness }: DealOptions,
): Dumpable {
  for (const family of families) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stage = dealer.open({ random, world, level }, at);
      const scenes = gatherGoals(stage, family, dealer);
      const customer = scenes[0]?.plot.customer;
      if (customer === undefined) break;
      const dropped = drawDroppedWish(stage, scenes, dealer);
      const goal = joinGoals(
        scenes.map(({ plot }) => plot.goal),
        dropped?.goal,
      );
      const wish = `${customer.id} ${goal.text}`;
      if (taken.has(wish)) continue;
      const claim = frame(random, dealer.introduce(stage, customer), scenes, goal);
      const faults = findFaults(data, claim);
      witness?.(family.name, claim, faults);
      if (faults.length > 0) continue;
      taken.add(wish);
      return taskRecord(customer.id, claim);
    }
  }
  throw new PackError(
    `${String(dealer.size(world))} customers are too few for ${String(count)} different tasks; ask for more customers.`,
  );
}

function taskRecord(userId: string, { instruction, actions, goals }: Claim): Dumpable {
  return {
    user_id: userId,
    instruction,
    actions: actions.map((action) => ({ name: action.name, kwargs: action.kwargs })),
    outputs: goals.flatMap((goal) => goal.outputs.map((output) => output.text)),
  };
}
