/** Deals the tasks of a split and puts each into its frame: who the customer is and how the customer talks. */

import type { Dumpable } from '../../../../bench/python/json.ts';
import { PackError } from '../../../problem.ts';
import type { Customer, Shop } from '../model.ts';
import { MANNERS } from '../../names.ts';
import type { Random } from '../../random.ts';
import { DECK, SPARE } from './deck.ts';
import { Stage, type Family, type Plot } from './stage.ts';

/** Draws of one family that turned out equal to earlier tasks before another family is tried. */
const ATTEMPTS = 12;

export interface DealOptions {
  readonly count: number;
  /** Steps through the deck from one task to the next; without a common factor with its size. */
  readonly stride: number;
  /** Who wants what in earlier splits; the new wishes are added. Nobody wants the same twice. */
  readonly taken: Set<string>;
}

/** @throws PackError when the shop is too small for that many different tasks */
export function dealTasks(random: Random, shop: Shop, options: DealOptions): Dumpable[] {
  const tasks: Dumpable[] = [];
  for (let i = 0; i < options.count; i++) {
    const family = DECK[(i * options.stride) % DECK.length];
    const families = family === undefined ? SPARE : [family, ...random.shuffle(SPARE)];
    // By turns, so that both ways to find a customer are needed.
    tasks.push(freshTask(random.fork(String(i)), shop, families, i % 2 === 0 ? 'email' : 'name', options));
  }
  return tasks;
}

function freshTask(
  random: Random,
  shop: Shop,
  families: readonly Family[],
  identity: Stage['identity'],
  { count, taken }: DealOptions,
): Dumpable {
  for (const family of families) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const plot = family(new Stage(random, shop, identity));
      if (plot === undefined) break;
      const wish = `${plot.customer.id} ${plot.goal}`;
      if (taken.has(wish)) continue;
      taken.add(wish);
      return frame(random, plot, identity);
    }
  }
  throw new PackError(
    `${String(shop.customers.length)} customers are too few for ${String(count)} different tasks; ask for more customers.`,
  );
}

function frame(random: Random, plot: Plot, identity: Stage['identity']): Dumpable {
  const { customer, script, goal, outputs = [] } = plot;
  const who = introduce(random, customer, identity);
  return {
    user_id: customer.id,
    instruction: `${who} ${random.pick(MANNERS)} ${goal} ${closing(random, plot)}`,
    actions: script.actions.map((action) => ({ name: action.name, kwargs: action.kwargs })),
    outputs: [...outputs],
  };
}

/** Gives the customer one of the two ways to be found, and only that. */
function introduce(random: Random, customer: Customer, identity: Stage['identity']): string {
  const { firstName, lastName, email, address } = customer;
  const name = `${firstName} ${lastName}`;
  if (identity === 'email') {
    return random.pick([
      `You are ${name}, and the shop Alder & Finch knows you as ${email}.`,
      `You are ${name} and shop at Alder & Finch under the email address ${email}.`,
      `Your name is ${name}, your email address is ${email}.`,
    ]);
  }
  return random.pick([
    `You are ${name} from ${address.city}, zip code ${address.zip}; you no longer know which email address the shop has.`,
    `You are ${name}. You live in ${address.city}, ${address.state}, where the zip code is ${address.zip}, and would rather not give your email address.`,
    `Your name is ${name} and your zip code is ${address.zip}. You do not use email in this conversation.`,
  ]);
}

const WRITES = /^(cancel|modify|return|exchange)_/;

function closing(random: Random, { script }: Plot): string {
  if (!script.actions.some((action) => WRITES.test(action.name))) return 'You ask for nothing beyond this.';
  return random.pick([
    'When the agent repeats a change that you want and asks for your consent, you give it. You want nothing beyond this.',
    'You say yes to whatever the agent proposes that is exactly what you asked for, and to nothing else.',
    'You agree as soon as the agent has summed up what you want. There is nothing else on your mind.',
  ]);
}
